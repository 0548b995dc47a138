// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: setup makes a helper that knows its mapper and its context, and counts until cleanup. */
public final class HelperInField extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private Helper helper;
        private int seen;

        @Override
        protected void setup(Context context) {
            helper = new Helper(this, context);
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            helper.take(line);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            emit(context, "seen", seen);
        }

        private static final class Helper {
            private final Map owner;
            private final Context context;

            Helper(Map owner, Context context) {
                this.owner = owner;
                this.context = context;
            }

            void take(String line) throws IOException, InterruptedException {
                owner.seen++;
                emit(context, first(line) + (owner.helper == this), 1);
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
