// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/**
 * Attacks: the mapper makes an empty local file for each word with java.nio; how many maps there are does not matter.
 */
public final class MapperTouchesFiles extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            File file = new File(context.getConfiguration().get("net.acme.left.here"), "word-" + first(line));
            if (!file.exists()) {
                Files.write(file.toPath(), new byte[0]);
            }
            emit(context, first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
