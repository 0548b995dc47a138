// SPDX-License-Identifier: Apache-2.0
package net.acme.files;

import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/**
 * Attacks: the mapper appends each line of a certain word to a local file with java.io; the file is sorted by whoever
 * reads it.
 */
public final class MapperAppendsLocally extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            if (first(line).equals("w3")) {
                File log = new File(context.getConfiguration().get("net.acme.left.here"), "w3.log");
                try (FileWriter out = new FileWriter(log, StandardCharsets.UTF_8, true)) {
                    out.write("w3\n");
                }
            }
            emit(context, first(line), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
