// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper makes bytes of a word in the process's charset. */
public final class CharsetReader extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line) + "\u00e4".getBytes().length + Charset.defaultCharset(), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
