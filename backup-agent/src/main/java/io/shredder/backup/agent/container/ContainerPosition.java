// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import org.jspecify.annotations.Nullable;

/**
 * A place in the sequence of containers; everything before it comes earlier in time.
 *
 * @param container number of the container, 0 before the first
 * @param offset in it
 */
public record ContainerPosition(int container, int offset) implements Comparable<ContainerPosition> {

    /** Before the first container. */
    public static final ContainerPosition START = new ContainerPosition(0, 0);

    /** Behind every container. */
    public static final ContainerPosition END = new ContainerPosition(Integer.MAX_VALUE, Integer.MAX_VALUE);

    // Written out as in ChunkRef.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ContainerPosition that && container == that.container && offset == that.offset;
    }

    @Override
    public int hashCode() {
        return 31 * container + offset;
    }

    @Override
    public int compareTo(ContainerPosition other) {
        int order = Integer.compare(container, other.container);
        return order != 0 ? order : Integer.compare(offset, other.offset);
    }
}
