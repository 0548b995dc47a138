// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.DiskImage;
import io.shredder.backup.powerloss.DiskImage.Loss;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.LongTests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The power of all keepers fails after changes that a random life of a store makes to its disks. What was acknowledged
 * must be there, with any parity keepers away too; what was under way is old or new.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DispersedPowerLossTest {

    private static final int STEPS = 14;

    /** After about so many changes power is lost; {@code -Ddispersal.moments=N} gives more than a test run has. */
    private static final int MOMENTS = LongTests.count("dispersal.moments", 10, 20);

    private static final List<String> WHOLE = List.of("snapshots/a/b/1.snapshot", "pages/1.pages");
    private static final List<String> SMALL = List.of("highest-id", "repository");

    @TempDir
    Path folder;

    /**
     * What is promised.
     *
     * @param files contents of each file that is there
     * @param changing the file that is being changed, or nothing
     * @param next what it will hold; null if it is being deleted
     */
    private record Promise(Map<String, ByteBuffer> files, String changing, @Nullable ByteBuffer next) {}

    /** Lives in recorded files, and marks what is promised. */
    private final class Life {

        private final RecordedFiles files;
        private final Random random;
        private final TreeMap<String, ByteBuffer> kept = new TreeMap<>();
        private int containers;

        private Life(RecordedFiles files, Random random) {
            this.files = files;
            this.random = random;
        }

        private ByteBuffer bytes(int most) {
            byte[] bytes = new byte[1 + random.nextInt(most)];
            random.nextBytes(bytes);
            return ByteBuffer.wrap(bytes);
        }

        private void live(RemovableFolders folders) throws IOException {
            for (int session = 0; session < 2; session++) {
                try (DispersedStorage storage = folders.open()) {
                    files.mark(new Promise(Map.copyOf(kept), "", null));
                    for (int i = 0; i < STEPS / 2; i++) {
                        step(storage);
                    }
                }
            }
        }

        private void step(DispersedStorage storage) throws IOException {
            int kind = random.nextInt(8);
            List<String> deletable =
                    kept.keySet().stream().filter(name -> !SMALL.contains(name)).toList();
            if (kind < 3) {
                grow(storage);
            } else if (kind < 5) {
                ByteBuffer next = bytes(3000);
                change(WHOLE.get(random.nextInt(2)), next, name -> {
                    byte[] copy = new byte[next.remaining()];
                    next.duplicate().get(copy);
                    storage.publish(Files.write(folder.resolve("draft"), copy), name);
                });
            } else if (kind < 7 || deletable.isEmpty()) {
                ByteBuffer next = bytes(40);
                change(SMALL.get(random.nextInt(2)), next, name -> storage.replace(name, next.duplicate()));
            } else {
                change(deletable.get(random.nextInt(deletable.size())), null, storage::delete);
            }
        }

        private interface Change {
            void of(String name) throws IOException;
        }

        private void change(String name, @Nullable ByteBuffer next, Change change) throws IOException {
            files.mark(new Promise(Map.copyOf(kept), name, next));
            change.of(name);
            if (next == null) {
                kept.remove(name);
            } else {
                kept.put(name, next);
            }
            files.mark(new Promise(Map.copyOf(kept), "", null));
        }

        private void grow(DispersedStorage storage) throws IOException {
            containers++;
            String name = "containers/00000/0000000" + containers + ".container";
            ByteBuffer all = ByteBuffer.allocate(6000);
            random.nextBytes(all.array());
            files.mark(new Promise(Map.copyOf(kept), name, all));
            try (AppendableFile file = storage.create(name, all.slice(0, 64))) {
                int end = 64;
                for (int i = random.nextInt(3); i >= 0; i--) {
                    kept.put(name, all.slice(0, end));
                    files.mark(new Promise(Map.copyOf(kept), name, all));
                    int more = 1 + random.nextInt(1900);
                    file.append(all.slice(end, more));
                    end += more;
                    file.force();
                }
                kept.put(name, all.slice(0, end));
            }
            files.mark(new Promise(Map.copyOf(kept), "", null));
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "1, 2", "2, 2"})
    void whatWasAcknowledgedIsThereAfterAnyPowerLossWithAnyParityKeepersAway(int data, int parity) throws IOException {
        Random random = new Random(Samples.seed());
        RecordedFiles files = new RecordedFiles(Files.createDirectory(folder.resolve("lived")));
        RemovableFolders lived = RemovableFolders.make(files.root(), data, parity);
        DurableFiles.forceFolder(files.root());
        new Life(files, random).live(lived);

        List<DiskChange> changes = files.changes();
        DiskImage disk = new DiskImage();
        Promise promise = null;
        int stride = 1 + changes.size() / MOMENTS;
        int deaths = 0;
        for (int i = 0; i < changes.size(); i++) {
            DiskChange change = changes.get(i);
            disk.apply(change);
            if (change instanceof DiskChange.Mark mark) {
                promise = (Promise) mark.what();
            }
            if (promise != null && i % stride == 0) {
                for (Loss loss : Loss.values()) {
                    Path left = folder.resolve("left" + deaths++);
                    String stale = disk.writeTo(left, loss, random);
                    check(left, data, parity, loss, promise, "change " + i + " " + loss + " " + stale, random);
                }
            }
        }
        assertThat(deaths).isGreaterThan(2 * MOMENTS);
    }

    private void check(Path left, int data, int parity, Loss loss, Promise promise, String when, Random random)
            throws IOException {
        RemovableFolders folders = RemovableFolders.make(left, data, parity);
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, data + parity).boxed().toList());
        Collections.shuffle(all, random);
        // A disk that lied counts as one keeper.
        List<Integer> away =
                random.nextBoolean() || loss == Loss.LIED ? List.of() : folders.takeAwayAllBut(all.subList(0, data));
        boolean few = !away.isEmpty();
        Map<String, ByteBuffer> seen = new HashMap<>();
        boolean allRead = true;
        try (DispersedStorage storage = folders.open()) {
            for (String name : names(promise)) {
                boolean changing = name.equals(promise.changing());
                boolean isNew = changing && !promise.files().containsKey(name);
                Possibly found = look(storage, name, when, few && changing, loss == Loss.LIED && isNew);
                allRead &= !found.doubtful();
                if (!found.doubtful()) {
                    assertAllowed(found.bytes(), name, promise, when);
                    if (found.bytes() != null) {
                        seen.put(name, found.bytes());
                    }
                }
            }
            boolean enough = storage.keepers().changeable().size()
                    >= storage.keepers().dispersal().leastToChange();
            assertThat(enough || few || loss == Loss.LIED).as(when).isTrue();
            if (!few && enough && allRead) {
                assertThat(storage.list("").stream().map(StoredFile::name))
                        .as(when)
                        .containsExactlyInAnyOrderElementsOf(seen.keySet());
                for (String name : seen.keySet()) {
                    storage.force(name);
                }
            }
        }
        if (!few && loss != Loss.LIED) {
            folders.takeAwayAllBut(all.subList(0, data));
            try (DispersedStorage storage = folders.open()) {
                for (Map.Entry<String, ByteBuffer> file : seen.entrySet()) {
                    boolean told = file.getKey().startsWith("containers")
                            || !file.getKey().equals(promise.changing());
                    if (told) { // Nobody was told of others, and nothing has made them whole since.
                        assertThat(storage.read(file.getKey()))
                                .as("%s %s", when, file.getKey())
                                .contains(file.getValue());
                    }
                }
            }
        }
    }

    private static Set<String> names(Promise promise) {
        Set<String> names = new TreeSet<>(promise.files().keySet());
        if (!promise.changing().isEmpty()) {
            names.add(promise.changing());
        }
        return names;
    }

    private record Possibly(@Nullable ByteBuffer bytes, boolean doubtful) {}

    /**
     * As an agent takes a file up.
     *
     * @param mayDoubt whether nobody may be able to tell if it counts
     * @param mayBeLost whether it may be there and damaged: a new file that a disk lied about, which nobody was told of
     */
    private static Possibly look(
            DispersedStorage storage, String name, String when, boolean mayDoubt, boolean mayBeLost)
            throws IOException {
        try {
            if (storage.read(name).isEmpty()) {
                return new Possibly(null, false);
            }
        } catch (DamagedDataException e) {
            if (mayBeLost && !name.startsWith("containers")) {
                return new Possibly(null, true);
            }
            assertThat(name).as("%s: %s", when, e).startsWith("containers");
        } catch (IOException e) {
            assertThat(mayDoubt).as("%s: %s", when, e).isTrue();
            assertThat(e).as(when).hasMessageContaining("bring back");
            return new Possibly(null, true);
        }
        try {
            storage.endWriting(name);
            return new Possibly(upToDamage(storage, name), false);
        } catch (IOException e) {
            assertThat(mayDoubt).as("%s: %s", when, e).isTrue();
            assertThat(e).as(when).hasMessageContaining("bring back");
            return new Possibly(null, true);
        }
    }

    private static ByteBuffer upToDamage(DispersedStorage storage, String name) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(storage.size(name)));
        try (ReadableFile file = storage.open(name)) {
            file.readFully(bytes, 0);
        } catch (DamagedDataException e) {
            bytes.limit(Math.toIntExact(e.offset())).position(bytes.limit());
            if (!storage.isReadOnly()) {
                storage.cut(name, e.offset());
            }
        }
        return bytes.flip();
    }

    private static void assertAllowed(@Nullable ByteBuffer found, String name, Promise promise, String when) {
        ByteBuffer old = promise.files().get(name);
        if (!name.equals(promise.changing())) {
            assertThat(found).as("%s: %s", when, name).isEqualTo(old);
        } else if (name.startsWith("containers") && promise.next() != null) {
            int least = old == null ? 0 : old.remaining();
            int length = found == null ? 0 : found.remaining();
            assertThat(length)
                    .as("%s: %s", when, name)
                    .isBetween(least, promise.next().remaining());
            if (found != null) {
                assertThat(found)
                        .as("%s: %s", when, name)
                        .isEqualTo(promise.next().slice(0, length));
            }
        } else {
            List<ByteBuffer> allowed =
                    Stream.of(old, promise.next()).filter(each -> each != null).toList();
            if (found != null) {
                assertThat(allowed).as("%s: %s", when, name).contains(found);
            } else {
                assertThat(old == null || promise.next() == null)
                        .as("%s: %s is gone", when, name)
                        .isTrue();
            }
        }
    }
}
