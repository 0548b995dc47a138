// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table is read by another program. */
public final class TableByProcess extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            Process cat = new ProcessBuilder("cat", place(context)).start();
            return Table.read(cat.getInputStream());
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
