// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.util.List;

/**
 * How long the stages of one restore took. Opening and writing are done by the same threads, one after the other.
 *
 * @param listing by the caller's thread: it reads the list, and waits for room
 * @param opening by those that open and prove chunks, reading included where they lie on this machine; the rest they
 *     wait for chunks
 * @param writing to the target
 */
public record RestoreTimes(StageTime listing, StageTime opening, StageTime writing) {

    /** Of one that has not begun. */
    public RestoreTimes() {
        this(new StageTime("listing"), new StageTime("opening"), new StageTime("writing"));
    }

    /** What came of them, in the order of the data. */
    public List<StageTime.Figures> figures() {
        return List.of(listing.figures(), opening.figures(), writing.figures());
    }
}
