// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import io.shredder.backup.server.RunningQemu;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A guest that writes 4 KiB at a time, a hundred times a second, all over a few megabytes as a database's log does. */
final class WritingLoad {

    private static final int BYTES = 4 << 10;
    private static final long AREA_BYTES = 4 << 20;
    private static final long PAUSE_MS = 10;

    private final List<Double> tookMs = new ArrayList<>();

    private WritingLoad() {}

    /** What happens meanwhile. */
    interface Meanwhile {
        void happen() throws IOException, InterruptedException;
    }

    /** Writes from before the beginning to after the end. */
    static WritingLoad run(RunningQemu qemu, String disk, long imageBytes, Meanwhile meanwhile)
            throws IOException, InterruptedException {
        WritingLoad load = new WritingLoad();
        List<IOException> failed = new ArrayList<>();
        Thread guest = new Thread(
                () -> {
                    try {
                        load.write(qemu, disk, imageBytes / 2);
                    } catch (IOException e) {
                        failed.add(e);
                    }
                },
                "guest");
        guest.start();
        try {
            meanwhile.happen();
        } finally {
            guest.interrupt();
            guest.join();
        }
        if (!failed.isEmpty()) {
            throw failed.get(0);
        }
        return load;
    }

    private void write(RunningQemu qemu, String disk, long from) throws IOException {
        Random random = new Random(from);
        while (!Thread.currentThread().isInterrupted()) {
            long offset = from + random.nextLong(AREA_BYTES / BYTES) * BYTES;
            long beginNs = System.nanoTime();
            String said = qemu.hmp("qemu-io " + disk + " \"write -P 7 " + offset + " " + BYTES + "\"");
            if (!said.isBlank()) {
                throw new IOException("a guest's write: " + said);
            }
            tookMs.add((System.nanoTime() - beginNs) / 1e6);
            try {
                Thread.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Of each write, in milliseconds; after the end. */
    List<Double> tookMs() {
        return tookMs;
    }
}
