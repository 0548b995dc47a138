// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: of several cache files the first one named counts, so their order does. */
public final class CacheFilesInOrder extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            return Table.read(new FileInputStream(new Path(context.getCacheFiles()[0]).getName()));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
        for (String file : more) {
            job.addCacheFile(URI.create(file));
        }
    }
}
