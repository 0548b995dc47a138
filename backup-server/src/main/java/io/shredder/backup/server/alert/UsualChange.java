// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What an image's backups usually bring, to notice one that is unlike all before: files that are being encrypted are
 * new in great number, and don't compress. Not thread-safe.
 *
 * <p>A night stands out if what is new is more than twice the most of the nights before, more than a tenth of the
 * image, and doesn't compress by three per cent. A machine that was installed anew is large, but compresses.
 */
final class UsualChange {

    /** Nights that count. */
    private static final int MOST_NIGHTS = 30;
    /** Before so many nights nothing is unusual. */
    private static final int FEWEST_NIGHTS = 5;

    private static final int TIMES_THE_MOST = 2;
    private static final double LEAST_SHARE = 0.1;
    private static final double LEAST_STORED = 0.97;

    private final Deque<Double> shares = new ArrayDeque<>();

    /** From what nights brought before, the last one last. */
    UsualChange(List<Double> before) {
        before.stream().skip(Math.max(0, before.size() - MOST_NIGHTS)).forEach(shares::addLast);
    }

    /** What share of the image was new in each night that counts. */
    List<Double> shares() {
        return List.copyOf(shares);
    }

    /**
     * Takes a night's figures.
     *
     * @param imageBytes the image's length
     * @param newBytes of it that the agent didn't have
     * @param storedBytes what they are when compressed
     * @return whether it is unlike all before
     */
    boolean isUnlike(long imageBytes, long newBytes, long storedBytes) {
        double share = imageBytes == 0 ? 0 : (double) newBytes / imageBytes;
        double stored = newBytes == 0 ? 0 : (double) storedBytes / newBytes;
        double most = shares.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        boolean unlike = shares.size() >= FEWEST_NIGHTS
                && share > LEAST_SHARE
                && share > TIMES_THE_MOST * most
                && stored > LEAST_STORED;
        // A night that stands out is no measure for the next.
        if (!unlike) {
            shares.addLast(share);
            if (shares.size() > MOST_NIGHTS) {
                shares.removeFirst();
            }
        }
        return unlike;
    }
}
