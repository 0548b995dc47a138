// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a local table is mapped into memory. */
public final class LocalTableMapped extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            try (FileChannel file = FileChannel.open(java.nio.file.Path.of(place(context)), StandardOpenOption.READ)) {
                byte[] bytes = new byte[(int) file.size()];
                file.map(FileChannel.MapMode.READ_ONLY, 0, bytes.length).get(bytes);
                return Table.read(new ByteArrayInputStream(bytes));
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
