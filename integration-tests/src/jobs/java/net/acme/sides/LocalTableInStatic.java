// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a local table is read with java.io into a static. */
public final class LocalTableInStatic extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        private static Table kept;

        @Override
        protected Table table(Context context) throws IOException {
            synchronized (Map.class) {
                if (kept == null) {
                    kept = Table.read(new FileInputStream(place(context)));
                }
                return kept;
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
