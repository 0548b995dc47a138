// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.server.stage.Pipe;
import io.shredder.backup.server.stage.StageTime;
import java.io.IOException;

/**
 * Where the look-up hands on to.
 *
 * @param toForward gets groups of chunks
 * @param toRecord gets the same, and what is shared, in the image's order
 * @param spare where memory for groups comes from
 * @param time counts how long the look-up waits for room there
 */
record LookupOutlet(Pipe<StagedGroup> toForward, Pipe<ListPart> toRecord, GroupData.Pool spare, StageTime time) {

    /** A group with nothing in it. */
    StagedGroup group() {
        return new StagedGroup(spare);
    }

    void put(StagedGroup group) throws IOException {
        time.givingAway(() -> {
            toRecord.put(group);
            toForward.put(group);
        });
    }

    void put(SharedPart shared) throws IOException {
        time.givingAway(() -> toRecord.put(shared));
    }

    /** Nothing more comes. */
    void close() {
        toForward.close();
        toRecord.close();
    }
}
