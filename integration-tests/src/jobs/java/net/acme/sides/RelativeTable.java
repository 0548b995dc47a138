// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table in the working directory is read by its relative name. */
public final class RelativeTable extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            File here = new File("").getAbsoluteFile();
            return Table.read(new FileInputStream(
                    here.toPath().relativize(new File(place(context)).toPath()).toString()));
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
