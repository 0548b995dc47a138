// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a cache file is read by the local path that Hadoop tells. */
public final class CacheFileByLocalPath extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            return Table.read(
                    new FileInputStream(context.getLocalCacheFiles()[0].toUri().getPath()));
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
