// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.Span;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Space inside containers that can be given back without writing them again, where what keeps them can do that. For one
 * collection at a time; {@link #release} for several threads, each with a container of its own.
 */
public interface ReleasableSpace {

    /** Whether there is such space at all; otherwise nothing but this may be asked. */
    boolean isSupported();

    /** What of the first {@code length} bytes of a container takes space, ascending. */
    List<Span> occupied(int container, long length) throws IOException;

    /** How much space the first {@code length} bytes of a container take. */
    default long occupiedBytes(int container, long length) throws IOException {
        return occupied(container, length).stream().mapToLong(Span::bytes).sum();
    }

    /**
     * Notes, durably, what is going to be released, in place of what was noted before. After a crash from now on the
     * repository releases it when it is opened, but for ranges that hold a chunk of the index.
     *
     * @param ranges of each container, ascending; each begins and ends where a record does
     */
    void prepare(Map<Integer, List<Span>> ranges) throws IOException;

    /**
     * Releases what was prepared: all of it reads as zeros, and its blocks are free. Durable with the next
     * {@link #prepare}, or when the repository closes.
     */
    void release(int container, List<Span> ranges) throws IOException;

    /**
     * Whether a container was looked through with just so much garbage, and that was what had to stay. Known until the
     * repository closes.
     */
    boolean isSettled(int container, long garbageBytes);

    /** So much garbage stays in this container. */
    void settle(int container, long garbageBytes);
}
