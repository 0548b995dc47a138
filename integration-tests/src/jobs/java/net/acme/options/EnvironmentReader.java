// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper reads an environment variable and the host's name, which stay as they are. */
public final class EnvironmentReader extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            int environment = System.getenv("PATH").hashCode();
            emit(context, first(line) + environment + InetAddress.getLocalHost().getHostName(), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
