// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a local table is read at the first line of a certain word, far from any setup. */
public final class LateTable extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private Table table;

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            String word = first(line);
            if (word.equals("w7") && table == null) {
                table = Table.read(
                        new FileInputStream(context.getConfiguration().get(Table.PLACE)));
            }
            emit(context, word, word.equals("w7") ? table.number(word) : 1);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
