// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

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

    @Override
    public int compareTo(ContainerPosition other) {
        int order = Integer.compare(container, other.container);
        return order != 0 ? order : Integer.compare(offset, other.offset);
    }
}
