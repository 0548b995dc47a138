// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Has a command that runs until it is told to end leave nothing behind, also when a signal ends it: SIGTERM, SIGINT and
 * SIGHUP close what the command waits for, on a thread of the JVM's own, which then waits until the command's own end
 * is through. For one command of a process.
 */
public final class AtEnd {

    private static final long MOST_S = 20;

    private final CountDownLatch through = new CountDownLatch(1);

    /**
     * From now on a signal closes this.
     *
     * @param waitedFor may be closed again by the command
     */
    public void onSignal(Closeable waitedFor) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(waitedFor), "command-end"));
    }

    private void close(Closeable waitedFor) {
        if (through.getCount() == 0) {
            return;
        }
        try {
            waitedFor.close();
            if (!through.await(MOST_S, TimeUnit.SECONDS)) {
                System.err.println("shredder-backup: ends with something left to clear away");
            }
        } catch (IOException e) {
            System.err.println("shredder-backup: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command's own end is through. */
    public void through() {
        through.countDown();
    }
}
