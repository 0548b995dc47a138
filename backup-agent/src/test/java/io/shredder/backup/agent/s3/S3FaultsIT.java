// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.s3.S3Relay.Fate;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A storage whose every sixth request is lost, repeated, late or refused behaves as its contract says, or says no. */
@ExtendWith(OnS3Server.class)
class S3FaultsIT {

    private static final UUID AGENT = new UUID(1, 1);
    private static final int ONE_FATE_IN = 6;
    private static final long LATE_MS = 400;

    @TempDir
    private Path folder;

    private final Random random = new Random(seed());
    /** What must be there; of a name whose change failed, what may be there. */
    private final Map<String, Set<ByteBuffer>> model = new TreeMap<>();

    private final Map<String, Set<ByteBuffer>> ever = new TreeMap<>();

    private int named;
    private int refused;

    private static long seed() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dseed=" + seed + ")");
        return seed;
    }

    private ByteBuffer bytes() {
        byte[] bytes = new byte[1 + random.nextInt(random.nextInt(8) == 0 ? 2_000_000 : 5_000)];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private synchronized Fate fate(Random fates) {
        Fate[] all = Fate.values();
        return fates.nextInt(ONE_FATE_IN) == 0 ? all[1 + fates.nextInt(all.length - 1)] : Fate.PASSES;
    }

    @Test
    void whatSucceededIsThereAndNothingElse(S3Server server) throws Exception {
        S3Place place = new S3Place(server.bucket(), "s");
        Random fates = new Random(random.nextLong());
        int steps = LongTests.count("s3.steps", 150, 3000);
        try (S3Relay relay = new S3Relay(server.port(), request -> fate(fates), LATE_MS)) {
            try (Storage storage =
                    S3Storage.open(place, S3Server.settings(relay.endpoint()), AGENT, folder.resolve("spool"))) {
                for (int i = 0; i < steps; i++) {
                    step(storage);
                }
            }
            System.out.println(steps + " steps, " + refused + " said no; requests' fates: " + relay.counts());
            TimeUnit.MILLISECONDS.sleep(2 * LATE_MS); // Then all that was late has arrived.
        }
        try (Storage storage = S3Storage.open(place, server.settings(), AGENT, folder.resolve("spool"))) {
            Set<String> there = new TreeSet<>();
            storage.list("").forEach(file -> there.add(file.name()));
            Set<String> must = new TreeSet<>(model.keySet());
            must.removeIf(name -> model.get(name).contains(null));
            assertThat(there).containsAll(must);
            assertThat(model.keySet()).containsAll(there);
            for (String name : there) {
                assertThat(model.get(name)).as(name).contains(contents(storage, name));
            }
        }
    }

    @Test
    void anAnswerThatBreaksOffIsAskedForAgain(S3Server server) throws Exception {
        S3Place place = new S3Place(server.bucket(), "s");
        Set<String> answered = ConcurrentHashMap.newKeySet();
        try (S3Relay relay = new S3Relay(
                server.port(),
                request -> answered.add(kind(request)) ? Fate.IS_ANSWERED_BY_HALF : Fate.PASSES,
                LATE_MS)) {
            for (int i = 0; i < 2; i++) {
                try (Storage storage =
                        S3Storage.open(place, S3Server.settings(relay.endpoint()), AGENT, folder.resolve("spool"))) {
                    storage.replace("index", ByteBuffer.wrap(new byte[] {(byte) i}));
                    assertThat(contents(storage, "index")).isEqualTo(ByteBuffer.wrap(new byte[] {(byte) i}));
                    assertThat(storage.list("")).contains(new StoredFile("index", 1));
                    storage.delete("index");
                }
            }
            System.out.println("broken off once: " + answered);
            assertThat(answered)
                    .anyMatch(kind -> kind.contains("uploads"))
                    .anyMatch(kind -> kind.contains("list-type"));
        }
    }

    /** The method, and the names of what is asked, without values that are new in each request. */
    private static String kind(S3Relay.Request request) {
        return request.method() + " " + request.target().replaceAll("=[^&]*", "");
    }

    private void step(Storage storage) throws IOException {
        List<String> names = new ArrayList<>(model.keySet());
        int kind = random.nextInt(10);
        if (kind < 3 || names.isEmpty()) {
            grow(storage, "containers/" + named++);
        } else if (kind < 5) {
            String name = names.get(random.nextInt(names.size()));
            ByteBuffer bytes = bytes();
            change(name, bytes, () -> storage.replace(name, bytes.duplicate()));
        } else if (kind < 6) {
            String name = "snapshots/" + named++;
            ByteBuffer bytes = bytes();
            Path file = Files.write(folder.resolve("draft"), bytes.array());
            change(name, bytes, () -> storage.publish(file, name));
        } else if (kind < 7) {
            String name = names.get(random.nextInt(names.size()));
            change(name, null, () -> storage.delete(name));
        } else {
            String name = names.get(random.nextInt(names.size()));
            look(storage, name);
        }
    }

    private interface Change {
        void run() throws IOException;
    }

    /** @param bytes what is there then; null for nothing, though a late request may bring back what was there once */
    private void change(String name, ByteBuffer bytes, Change change) {
        Set<ByteBuffer> may = may(bytes);
        try {
            change.run();
        } catch (IOException e) {
            refused++;
            may.addAll(model.getOrDefault(name, may(null)));
        }
        if (bytes == null) {
            may.addAll(ever.getOrDefault(name, Set.of()));
        }
        believe(name, may);
    }

    private void believe(String name, Set<ByteBuffer> may) {
        model.put(name, may);
        ever.computeIfAbsent(name, unused -> new HashSet<>()).addAll(may);
    }

    private static Set<ByteBuffer> may(ByteBuffer bytes) {
        Set<ByteBuffer> set = new HashSet<>();
        set.add(bytes);
        return set;
    }

    private void grow(Storage storage, String name) {
        ByteBuffer all = ByteBuffer.allocate(1 << 23);
        all.putLong(named);
        Set<ByteBuffer> may = may(null);
        try (AppendableFile file = storage.create(name, all.duplicate().flip())) {
            may.add(copy(all));
            for (int i = 0; i < 3 && file.canGrow(); i++) {
                ByteBuffer more = bytes();
                file.append(more.duplicate());
                all.put(more);
                may.add(copy(all));
                if (random.nextBoolean()) {
                    file.beginForce();
                    forceAtLast(file);
                }
            }
        } catch (IOException e) {
            refused++;
            believe(name, may); // Nobody was told.
            return;
        }
        believe(name, may(copy(all)));
    }

    private static ByteBuffer copy(ByteBuffer filled) {
        return ByteBuffer.wrap(Arrays.copyOf(filled.array(), filled.position()));
    }

    private static void forceAtLast(AppendableFile file) throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                file.force();
                return;
            } catch (IOException e) {
                if (attempt == 3 || !file.isSound()) {
                    throw e;
                }
            }
        }
    }

    private void look(Storage storage, String name) {
        try {
            ByteBuffer there = contents(storage, name);
            assertThat(model.get(name)).as(name).contains(there);
            assertThat(storage.list(""))
                    .as(name)
                    .filteredOn(file -> model.get(name).size() == 1)
                    .contains(new StoredFile(name, there.remaining()));
        } catch (IOException e) {
            refused++;
        }
    }

    private static ByteBuffer contents(Storage storage, String name) throws IOException {
        try (ReadableFile file = storage.open(name)) {
            ByteBuffer all = ByteBuffer.allocate((int) file.size());
            file.readFully(all, 0);
            return all.flip();
        }
    }
}
