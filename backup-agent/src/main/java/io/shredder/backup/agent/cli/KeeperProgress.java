// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.dispersal.scrub.Scrub;
import java.util.Locale;
import java.util.function.Consumer;

/** Says every 10 s how far the work at the keepers is. For one thread. */
final class KeeperProgress implements Scrub.Progress {

    private static final long EVERY_NS = 10_000_000_000L;

    private final String done;
    private final Consumer<String> out;
    private final long startNs = System.nanoTime();
    private long toldNs = startNs;

    /**
     * Begins now.
     *
     * @param done what was done to the bytes, such as checked
     */
    KeeperProgress(String done, Consumer<String> out) {
        this.done = done;
        this.out = out;
    }

    @Override
    public void at(long doneBytes, long totalBytes) {
        long nowNs = System.nanoTime();
        if (nowNs - toldNs >= EVERY_NS) {
            toldNs = nowNs;
            out.accept(line(done, doneBytes, totalBytes, nowNs - startNs));
        }
    }

    /** How far it is, with rate and what is left, in minutes and seconds. */
    static String line(String done, long doneBytes, long totalBytes, long elapsedNs) {
        double perSecond = Math.max(1, doneBytes) * 1e9 / Math.max(1, elapsedNs);
        long left = Math.max(0, Math.round((totalBytes - doneBytes) / perSecond));
        return String.format(
                Locale.ROOT,
                "%s %.1f of %.1f GB, %.0f MB/s, %d:%02d left",
                done,
                doneBytes / 1e9,
                totalBytes / 1e9,
                perSecond / 1e6,
                left / 60,
                left % 60);
    }
}
