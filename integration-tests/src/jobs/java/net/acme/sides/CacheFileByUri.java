// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a cache file is read where it lies on HDFS, by its URI. */
public final class CacheFileByUri extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            Path path = new Path(context.getCacheFiles()[0]);
            return Table.read(path.getFileSystem(context.getConfiguration()).open(path));
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
