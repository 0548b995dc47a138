// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

/**
 * What a {@link SnapshotReader} did so far.
 *
 * @param readBytes that were read by its users, holes included
 * @param receivedBytes that came from the agent; over a connection what went through the socket
 * @param hits parts of reads that were in the cache
 * @param misses parts of reads that had to be fetched, or waited for
 * @param answers of the agent, so far as it was asked
 * @param reconnections to an agent that had been away
 */
public record ReaderFigures(
        long readBytes, long receivedBytes, long hits, long misses, long answers, int reconnections) {}
