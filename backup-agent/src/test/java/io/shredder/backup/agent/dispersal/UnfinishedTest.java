// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A snapshot is written over another one, its writer dies, and the disk of a keeper has not what it forced. */
class UnfinishedTest {

    private static final String SNAPSHOT = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final int PAGE = 512;

    @TempDir
    Path folder;

    private final Random random = new Random(Samples.seed());

    private ByteBuffer publish(RemovableFolders folders) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Samples.randomBytes(random, 1 + random.nextInt(2_000_000)));
        try (DispersedStorage storage = folders.open()) {
            storage.publish(Files.write(folder.resolve("draft"), bytes.array()), SNAPSHOT);
        }
        return bytes;
    }

    /** All that a keeper has of the snapshot. */
    private static Map<Path, byte[]> shards(RemovableFolders folders, int keeper) throws IOException {
        Map<Path, byte[]> shards = new HashMap<>();
        for (Path file : folders.files(keeper)) {
            if (file.toString().contains(".snapshot@")) {
                shards.put(file, Files.readAllBytes(file));
            }
        }
        return shards;
    }

    /**
     * Has the first keepers know the second snapshot, but as its writer left it before it took the first one away; the
     * shards of those that lie have lost something at their ends.
     */
    private ByteBuffer leave(RemovableFolders folders, int named, int lying) throws IOException {
        ByteBuffer first = publish(folders);
        Map<Path, byte[]> before = new HashMap<>();
        for (int i = 0; i < folders.count(); i++) {
            before.putAll(shards(folders, i));
        }
        publish(folders);
        for (int i = 0; i < folders.count(); i++) {
            for (Map.Entry<Path, byte[]> shard : shards(folders, i).entrySet()) {
                int length = shard.getValue().length;
                int left = random.nextBoolean()
                        ? random.nextInt(ShardHeader.BYTES + 1)
                        : length - 1 - random.nextInt(Math.min(PAGE, length - 1));
                if (i >= named) {
                    Files.delete(shard.getKey());
                } else if (i < lying) {
                    Files.write(shard.getKey(), Arrays.copyOf(shard.getValue(), left));
                }
            }
        }
        for (Map.Entry<Path, byte[]> shard : before.entrySet()) {
            Files.write(shard.getKey(), shard.getValue());
        }
        return first;
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "2, 2", "1, 4"})
    void whatWasAcknowledgedCountsWhenADiskLostTheOneThatWasUnderWay(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        ByteBuffer first = leave(folders, data, 1);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.read(SNAPSHOT)).contains(first);
        }
        for (int i = 0; i < folders.count(); i++) {
            assertThat(shards(folders, i)).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "2, 2", "1, 4"})
    void theOneThatWasUnderWayCountsWhenItIsWhole(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        ByteBuffer first = leave(folders, data, 0);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.read(SNAPSHOT)).isPresent().get().isNotEqualTo(first);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "2, 2", "1, 4"})
    void whatSomebodyMayHaveBeenToldOfIsDamagedAndNothingElse(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        leave(folders, Math.max(data, parity) + 1, Math.max(data, parity) + 1);
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> storage.read(SNAPSHOT)).isInstanceOf(DamagedDataException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "2, 2", "1, 4"})
    void whatHadNothingBeforeIsDamagedAndNotTakenAway(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        leave(folders, data, 1);
        for (int i = 0; i < folders.count(); i++) {
            String oldest = shards(folders, i).keySet().stream()
                    .map(Path::toString)
                    .min(String::compareTo)
                    .orElseThrow();
            Files.delete(Path.of(oldest));
        }
        try (DispersedStorage storage = folders.open()) {
            assertThatThrownBy(() -> storage.read(SNAPSHOT)).isInstanceOf(DamagedDataException.class);
        }
        assertThat(shards(folders, 0)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "2, 2", "1, 4"})
    void whatWasWrittenOverDoesNotComeBackOnceTheFileIsDeleted(int data, int parity) throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, data, parity);
        leave(folders, data, 0);
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.read(SNAPSHOT)).isPresent();
            storage.delete(SNAPSHOT);
        }
        try (DispersedStorage storage = folders.open()) {
            assertThat(storage.read(SNAPSHOT)).isEmpty();
        }
    }
}
