// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.util.Progressable;

/** Lets a task's framework know with each piece that is written that the task is alive. Closes nothing. */
final class LiveStream extends FilterOutputStream {

    private final Progressable alive;

    LiveStream(OutputStream out, Progressable alive) {
        super(out);
        this.alive = alive;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        out.write(bytes, offset, count);
        alive.progress();
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
