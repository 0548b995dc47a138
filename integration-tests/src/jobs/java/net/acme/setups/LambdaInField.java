// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup keeps lambdas, one of which works on the mapper that it was made in. */
public final class LambdaInField extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private UnaryOperator<String> plain;
        private UnaryOperator<String> counting;
        private int seen;

        @Override
        protected void setup(Context context) {
            plain = line -> first(line) + "!";
            counting = line -> {
                seen++;
                return plain.apply(line);
            };
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, counting.apply(line), 1);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            emit(context, "seen", seen);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
