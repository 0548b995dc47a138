// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import java.nio.ByteBuffer;

/**
 * Pages of a shared list that follow each other in a pack as well.
 *
 * @param pack their pack's id
 * @param first index of the first in the pack
 * @param count how many, at least 1
 */
public record PageRun(long pack, int first, int count) {

    static final int BYTES = 16;

    /** Where one of them is, counted from 0. */
    public PageAddress address(int place) {
        return new PageAddress(pack, first + place);
    }

    /** Some of them. */
    public PageRun part(int from, int length) {
        return new PageRun(pack, first + from, length);
    }

    /** The same and some more. */
    PageRun longer(int more) {
        return new PageRun(pack, first, count + more);
    }

    /** The same of another pack. */
    PageRun in(long otherPack) {
        return new PageRun(otherPack, first, count);
    }

    boolean isFollowedBy(PageRun next) {
        return next.pack == pack && next.first == first + count;
    }

    void write(ByteBuffer target) {
        target.putLong(pack).putInt(first).putInt(count);
    }
}
