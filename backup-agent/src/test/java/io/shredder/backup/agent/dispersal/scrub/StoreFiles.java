// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.RemovableFolders;
import io.shredder.backup.agent.file.CheckedText;
import io.shredder.backup.agent.storage.AppendableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Files of a store that a test writes and knows. */
final class StoreFiles {

    private final Path folder;
    private final Random random;
    private final TreeMap<String, ByteBuffer> kept;

    /** Notes in the map what the store should have. */
    StoreFiles(Path folder, Random random, TreeMap<String, ByteBuffer> kept) {
        this.folder = folder;
        this.random = random;
        this.kept = kept;
    }

    ByteBuffer bytes(int most) {
        return ByteBuffer.wrap(Samples.randomBytes(random, 1 + random.nextInt(most)));
    }

    void append(DispersedStorage storage, String name, int appends) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(appends * 400_000);
        ByteBuffer head = bytes(100_000);
        all.put(head.duplicate());
        try (AppendableFile file = storage.create(name, head)) {
            for (int i = 1; i < appends; i++) {
                ByteBuffer more = bytes(400_000);
                all.put(more.duplicate());
                file.append(more);
                file.force();
            }
        }
        kept.put(name, all.flip());
    }

    void publish(DispersedStorage storage, String name, int most) throws IOException {
        ByteBuffer whole = bytes(most);
        Path file = Files.createTempFile(folder, "whole", "");
        Files.write(file, whole.array());
        storage.publish(file, name);
        kept.put(name, whole);
    }

    void fill(DispersedStorage storage, String tag) throws IOException {
        append(storage, "containers/00000/" + tag + ".container", 6);
        publish(storage, "snapshots/site1/vm/" + tag + ".snapshot", 700_000);
        replace(storage, "copies/" + tag);
    }

    void replace(DispersedStorage storage, String name) throws IOException {
        ByteBuffer copy = bytes(2000);
        storage.replace(name, copy.duplicate());
        kept.put(name, copy);
    }

    /** What a keeper's file says of an epoch. */
    static byte[] writer(int epoch) {
        return CheckedText.encoded("shredder-writer 1\nepoch " + epoch + "\n");
    }

    /** Of a test with a time-out. */
    static void await(BooleanSupplier what) {
        while (!what.getAsBoolean()) {
            Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(5));
        }
    }

    void assertReads(DispersedStorage storage) throws IOException {
        for (Map.Entry<String, ByteBuffer> file : kept.entrySet()) {
            assertThat(storage.read(file.getKey())).as("%s", file.getKey()).contains(file.getValue());
        }
    }

    /** All is there, byte for byte as it was to be, and any so many keepers give it back. */
    void assertWhole(RemovableFolders folders) throws IOException {
        try (Scrub scrub = Scrub.open(folders.config(), false)) {
            ScrubReport report = scrub.run((done, total) -> {});
            assertThat(report.isSound()).as("%s", report).isTrue();
        }
        for (int chosen = 0; chosen < 1 << folders.count(); chosen++) {
            if (Integer.bitCount(chosen) != folders.data()) {
                continue;
            }
            List<Integer> these = new ArrayList<>();
            for (int i = 0; i < folders.count(); i++) {
                if ((chosen >> i & 1) == 1) {
                    these.add(i);
                }
            }
            List<Integer> taken = folders.takeAwayAllBut(these);
            try (DispersedStorage storage = folders.open()) {
                assertReads(storage);
            }
            folders.bringBack(taken);
        }
    }
}
