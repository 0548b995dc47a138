// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: parts of a table on HDFS are read by a parallel stream, mostly on the common pool's threads. */
public final class HdfsTableInParallel extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            Configuration conf = context.getConfiguration();
            List<String> lines = IntStream.range(0, 8)
                    .parallel()
                    .mapToObj(part -> lines(new Path(place(context) + part), conf))
                    .flatMap(List::stream)
                    .collect(Collectors.toList());
            return Table.of(lines);
        }

        private static List<String> lines(Path path, Configuration conf) {
            try (InputStream in = path.getFileSystem(conf).open(path)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .collect(Collectors.toList());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
