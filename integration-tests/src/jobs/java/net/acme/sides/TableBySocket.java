// SPDX-License-Identifier: Apache-2.0
package net.acme.sides;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.Table;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: a table comes from a server. */
public final class TableBySocket extends AcmeJob {
    /** The mapper. */
    public static final class Map extends TableMapper {
        @Override
        protected Table table(Context context) throws IOException {
            int port = context.getConfiguration().getInt("net.acme.port", 0);
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return Table.read(server.getInputStream());
            }
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
