// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.util.OptionalInt;

/**
 * How many threads, buffers and connections one backup or restore takes, by the processor cores that it may use. Two
 * cores take what always fitted into 600 MB together with an agent; each further one takes {@value #BYTES_EACH} bytes
 * of the heap more, so there are never more than the heap has room for.
 *
 * @param count of cores, at least 1
 * @param connections to the agent, at least 1
 * @param groupBytes so long is a group of chunks, but for a longer chunk
 */
public record Cores(int count, int connections, int groupBytes) {

    /**
     * Of the heap, for each: a group of chunks that is sealed and one that waits, with what the collector needs to
     * move.
     */
    private static final int BYTES_EACH = 32 << 20;

    /** One TLS connection, with the thread at either end, carries what about so many cores seal or open. */
    private static final int PER_CONNECTION = 4;

    private static final int MOST_CONNECTIONS = 9;

    /** What an agent gives one client, if nobody told it otherwise. */
    private static final int CLIENT_CONNECTIONS = 16;

    /** Threads of all images together, above which each has fewer than there are cores. */
    private static final int MOST_THREADS = 256;

    private static final int MOST_OUTSIDE_HEAP = 8;

    private static final int MOST_GROUP_BYTES = 4 << 20;
    private static final int LEAST_GROUP_BYTES = 512 << 10;

    /** Groups that wait so that no thread does. */
    private static final int LEAST_GROUPS_WAITING = 4;

    /** Refuses none. */
    public Cores {
        if (count < 1) {
            throw new IllegalArgumentException(count + " cores");
        }
    }

    /** As many, and connections that go with them. */
    public Cores(int count) {
        this(count, MOST_CONNECTIONS, MOST_GROUP_BYTES);
    }

    /** All of this machine's that the heap has room for. */
    public static Cores all() {
        return atMost(OptionalInt.empty());
    }

    /** The same, but not more than somebody allows. */
    public static Cores atMost(OptionalInt allowed) {
        Runtime machine = Runtime.getRuntime();
        return of(allowed.orElse(machine.availableProcessors()), machine.availableProcessors(), machine.maxMemory());
    }

    /**
     * For who opens chunks and keeps them outside of the heap, so that only processors count; more than {@value
     * #MOST_OUTSIDE_HEAP} gain nothing.
     */
    public static Cores outsideHeap(OptionalInt allowed) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new Cores(Math.min(Math.min(allowed.orElse(processors), processors), MOST_OUTSIDE_HEAP));
    }

    static Cores of(int allowed, int processors, long heapBytes) {
        long inMemory = Math.max(1, heapBytes / BYTES_EACH);
        return new Cores((int) Math.min(Math.min(allowed, processors), inMemory));
    }

    /**
     * For one of so many images that may be backed up at once, each of which may have all cores while it is alone. More
     * images share the connections and have shorter groups, so that all together take no more memory.
     */
    public Cores among(int images) {
        return new Cores(
                Math.min(count, Math.max(1, MOST_THREADS / images)),
                Math.max(1, Math.min(connections, CLIENT_CONNECTIONS / images)),
                groupBytes(images));
    }

    /** So long that the groups of all images together are no longer than those of one that is alone. */
    private int groupBytes(int images) {
        long alone = (long) MOST_GROUP_BYTES * (count + Math.max(LEAST_GROUPS_WAITING, count) + 1);
        int sealing = (count + images - 1) / images;
        int groups = sealing + FairShares.spareThreads(images) + Math.max(CoresShare.LEAST_GROUPS_WAITING, sealing) + 1;
        long each = alone / ((long) images * groups);
        return images == 1 ? groupBytes : (int) Math.min(MOST_GROUP_BYTES, Math.max(LEAST_GROUP_BYTES, each));
    }

    /** The same of at most so many cores. */
    public Cores upTo(int cores) {
        return new Cores(Math.min(count, cores), connections, groupBytes);
    }

    /** Threads that tag and copy chunks, the one that chunks among them. */
    public int preparing() {
        return 1 + count / PER_CONNECTION;
    }

    /** Groups of chunks that wait to be sealed. */
    public int groupsWaiting() {
        return Math.max(LEAST_GROUPS_WAITING, count);
    }

    /**
     * Threads that open chunks and write them.
     *
     * @param someSleep whether some wait for chunks that have not arrived, or for a disk
     */
    public int opening(boolean someSleep) {
        return count + (someSleep ? 1 : 0);
    }

    /** Connections for chunks beside the one for all else; none where that one carries them as well. */
    public int chunkConnections() {
        return Math.min(connections - 1, count / PER_CONNECTION);
    }
}
