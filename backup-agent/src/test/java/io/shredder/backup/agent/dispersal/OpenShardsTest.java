// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenShardsTest {

    private static final String FILE = "snapshots/site1/vm/0000000000000001.snapshot";
    private static final long SECOND_NS = 1_000_000_000;

    @TempDir
    Path folder;

    private final byte[] bytes = Samples.randomBytes(new Random(Samples.seed()), 3_000_000);
    private final AtomicLong nowNs = new AtomicLong(7);
    private final AtomicInteger opened = new AtomicInteger();
    private RemovableFolders folders;

    @BeforeEach
    void fill() throws IOException {
        folders = RemovableFolders.make(folder.resolve("keepers"), 2, 1);
        try (DispersedStorage storage = folders.open()) {
            storage.publish(Files.write(folder.resolve("draft"), bytes), FILE);
        }
    }

    private OpenShards.Shared open(OpenShards shards, DispersedStorage storage) throws IOException {
        StoredVersion version = storage.versions().get(FILE);
        OpenShards.Shared found = shards.open(version, scan -> {
            opened.incrementAndGet();
            return storage.groups(version, scan);
        });
        found.shards().openings().awaitAll();
        return found;
    }

    private void assertReads(DispersedStorage storage, OpenShards.Shared shared) throws IOException {
        StoredVersion version = storage.versions().get(FILE);
        ByteBuffer cell = new GroupReader(version, shared.shards(), storage.coder())
                .cell(shared.groups().at(0), 0);
        assertThat(cell.slice(0, 1000)).isEqualTo(ByteBuffer.wrap(bytes, 0, 1000));
    }

    @Test
    void whoReadSideBySideShareWhatIsOpenUntilTheLastHasClosedIt() throws IOException {
        try (DispersedStorage storage = folders.open()) {
            OpenShards shards = new OpenShards(storage.keepers(), nowNs::get);
            OpenShards.Shared one = open(shards, storage);
            OpenShards.Shared other = open(shards, storage);
            assertThat(other.shards()).isSameAs(one.shards());
            assertThat(opened).hasValue(1);
            one.close();
            assertReads(storage, other);
            other.close();
            assertThatThrownBy(() -> assertReads(storage, other)).isInstanceOf(IOException.class);
            open(shards, storage).close();
            assertThat(opened).hasValue(2);
        }
    }

    @Test
    void whoComesTenSecondsLaterLooksAgainAndTheOthersGoOn() throws IOException {
        try (DispersedStorage storage = folders.open()) {
            OpenShards shards = new OpenShards(storage.keepers(), nowNs::get);
            OpenShards.Shared old = open(shards, storage);
            nowNs.addAndGet(10 * SECOND_NS - 1);
            open(shards, storage).close();
            assertThat(opened).hasValue(1);
            nowNs.addAndGet(1);
            OpenShards.Shared fresh = open(shards, storage);
            assertThat(opened).hasValue(2);
            assertReads(storage, old);
            old.close();
            assertReads(storage, fresh);
            assertThat(open(shards, storage).shards()).isSameAs(fresh.shards());
        }
    }

    @Test
    void whereAKeeperHasNoneItIsLookedForAgainAfterASecond() throws IOException {
        folders.takeAway(2);
        try (DispersedStorage storage = folders.open()) {
            OpenShards shards = new OpenShards(storage.keepers(), nowNs::get);
            try (OpenShards.Shared first = open(shards, storage)) {
                nowNs.addAndGet(SECOND_NS - 1);
                open(shards, storage).close();
                assertThat(opened).hasValue(1);
                nowNs.addAndGet(1);
                open(shards, storage).close();
                assertThat(opened).hasValue(2);
                assertReads(storage, first);
            }
        }
    }

    @Test
    void whatCantBeReadIsNotKept() throws IOException {
        try (DispersedStorage storage = folders.open()) {
            OpenShards shards = new OpenShards(storage.keepers(), nowNs::get);
            StoredVersion version = storage.versions().get(FILE);
            assertThatThrownBy(() -> shards.open(version, scan -> {
                        throw new IOException("no groups");
                    }))
                    .hasMessage("no groups");
            open(shards, storage).close();
            assertThat(opened).hasValue(1);
        }
    }
}
