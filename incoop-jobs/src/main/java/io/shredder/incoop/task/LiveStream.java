// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.util.Progressable;

/**
 * Where a task writes what it reads of the memo store. Lets its framework know with each piece that it is alive, and
 * says of trouble that it is not the store's. Closes nothing.
 */
final class LiveStream extends FilterOutputStream {

    private final Progressable alive;

    LiveStream(OutputStream out, Progressable alive) {
        super(out);
        this.alive = alive;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        try {
            out.write(bytes, offset, count);
        } catch (IOException e) {
            throw new IOException("can't write what the memo store holds: " + e.getMessage(), e);
        }
        alive.progress();
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
