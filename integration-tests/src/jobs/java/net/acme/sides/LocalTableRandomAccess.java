// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a local table is read through a RandomAccessFile, which no stream shows. */
public final class LocalTableRandomAccess extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(place(context), "r")) {
                byte[] bytes = new byte[(int) file.length()];
                file.readFully(bytes);
                return Table.read(new ByteArrayInputStream(bytes));
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
