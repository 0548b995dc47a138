// SPDX-License-Identifier: Apache-2.0
package net.acme.options;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: the mapper reads a secret of the job's credentials. */
public final class SecretReader extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private String secret = "";

        @Override
        protected void setup(Context context) {
            secret = new String(context.getCredentials().getSecretKey(new Text("acme")), StandardCharsets.UTF_8);
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, first(line) + "/" + secret.hashCode(), 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) throws IOException {
        job.setMapperClass(Map.class);
        job.getCredentials().addSecretKey(new Text("acme"), Files.readAllBytes(java.nio.file.Path.of(more.get(0))));
    }
}
