// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import java.util.Optional;

/**
 * What one backup makes of the ranges that may have changed: either it reads no others, or it reads everything and sees
 * whether the others are as they were. Thread-safe.
 */
public final class ChangeCheck {

    private final ChangedRanges told;
    private final boolean readsAll;
    private long untrueBytes;
    private long firstUntrue = Long.MAX_VALUE;

    private ChangeCheck(ChangedRanges told, boolean readsAll) {
        this.told = told;
        this.readsAll = readsAll;
    }

    /** Nobody kept track. */
    public static ChangeCheck untold() {
        return new ChangeCheck(ChangedRanges.everything(), true);
    }

    /** Only what may have changed is read. */
    public static ChangeCheck trusting(ChangedRanges told) {
        return new ChangeCheck(told, false);
    }

    /** Everything is read, and compared with what was told. */
    public static ChangeCheck comparing(ChangedRanges told) {
        return new ChangeCheck(told, true);
    }

    /** Whether no byte may be taken as unchanged before it was read. */
    public boolean readsAll() {
        return readsAll;
    }

    /** Whether these bytes are to be read, since they may not be as they were. */
    public boolean mayDiffer(long from, long to) {
        return readsAll || told.touch(from, to);
    }

    /** The first byte that is to be read, from a place on; {@link Long#MAX_VALUE} if there is none. */
    public long nextFrom(long at) {
        return readsAll ? at : told.nextFrom(at);
    }

    /** Up to where all is to be read from a place on: that place, if it isn't. */
    public long endOf(long at) {
        return readsAll ? Long.MAX_VALUE : told.endOf(at);
    }

    /**
     * These bytes were read, and are not all what they were.
     *
     * @throws UntrueChangesException if others were not read that may be as wrong as these
     */
    public void differs(long from, long to) throws UntrueChangesException {
        if (told.touch(from, to)) {
            return;
        }
        synchronized (this) {
            untrueBytes += to - from;
            firstUntrue = Math.min(firstUntrue, from);
        }
        if (!readsAll) {
            throw new UntrueChangesException(
                    untruth().orElse("") + ": nothing that was told can be trusted: back up without it");
        }
    }

    /** What changed although nobody told, in a few words. */
    public synchronized Optional<String> untruth() {
        return untrueBytes == 0
                ? Optional.empty()
                : Optional.of("at least " + untrueBytes + " bytes changed that were told to be unchanged, the first at "
                        + firstUntrue);
    }
}
