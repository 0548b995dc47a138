// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.index.IndexKey;
import io.shredder.backup.agent.index.LogStructuredIndex;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/COLLECTION.md, "A full disk": what the index writes at most before a collection has released anything. */
class ReserveTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final int FULL_TABLES = 2 * LogStructuredIndex.TABLE_ENTRIES;
    /** How many dead chunks are released together. */
    private static final int RELEASED = 1 << 14;

    /** A note of 16 bytes for each gap, the audit log's line, and what a file system adds. */
    private static final long OTHERS_BYTES = RELEASED * 16 + (512 << 10);

    @TempDir
    private Path folder;

    private static Fingerprint fingerprint(int number) {
        return Fingerprint.ofData(ByteBuffer.allocate(4).putInt(0, number));
    }

    private long bytes(boolean log) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".log") == log)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void theReserveHoldsARunOfTwoFullTablesAndTheLogOfARelease() throws IOException {
        IndexKey key = IndexKey.random();
        LogStructuredIndex.create(folder, REPOSITORY, key);
        try (LogStructuredIndex index = LogStructuredIndex.open(folder, REPOSITORY, key, FULL_TABLES)) {
            for (int i = 0; i < FULL_TABLES; i++) {
                index.put(fingerprint(i), new ChunkLocation(1 + i / 1000, 64 + i, 40_000, 65_536));
            }
            index.commit(new ContainerPosition(1, 1));
        }
        long runBytes = bytes(false);
        long logBefore = bytes(true);
        try (LogStructuredIndex index = LogStructuredIndex.open(folder, REPOSITORY, key, FULL_TABLES)) {
            for (int i = 0; i < RELEASED; i++) {
                index.remove(fingerprint(i));
            }
            index.commit(new ContainerPosition(1, 2));
        }
        long logBytes = bytes(true) - logBefore;
        assertThat(runBytes).as("the run was written").isGreaterThan(40L * FULL_TABLES);
        assertThat(logBytes).as("the log was written").isGreaterThan(32L * RELEASED);
        assertThat(runBytes + logBytes + OTHERS_BYTES).isLessThanOrEqualTo(Repository.RESERVE_BYTES);
    }
}
