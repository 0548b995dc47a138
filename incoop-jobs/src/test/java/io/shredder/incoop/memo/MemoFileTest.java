// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoFileTest {

    private static final Fingerprint IDENTITY = fingerprint("identity");

    @TempDir
    File folder;

    private FileSystem fs;
    private MemoStore store;

    private static final List<Dependency> DEPENDENCIES = List.of(
            new Dependency(Dependency.Kind.HDFS, "hdfs://nn/größe", "file 1 2 3"),
            new Dependency(Dependency.Kind.CONFIGURATION, "acme.option", "unset"));

    @BeforeEach
    void openStore() throws IOException {
        Configuration conf = new Configuration();
        fs = FileSystem.getLocal(conf).getRaw();
        // The raw file system, without Hadoop's own checksums: damage must reach the reader.
        conf.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
        conf.setBoolean("fs.file.impl.disable.cache", true);
        store = new MemoStore(conf, new Path(folder.toURI()), IDENTITY);
        store.prepare("document\n");
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        write("a.memo");

        try (MemoReader reader = store.open("a.memo")) {
            assertThat(reader.kind()).isEqualTo(MemoKind.LEAVES);
            assertThat(reader.entries()).hasSize(3);
            MemoEntry first = reader.entries().get(0);
            assertThat(first.key()).isEqualTo(fingerprint("one"));
            assertThat(first.counters()).containsExactly(new CounterValue("group", "größe", -7));
            assertThat(first.dependencies()).isEqualTo(DEPENDENCIES);
            assertThat(reader.read(first.segments().get(1))).isEqualTo(new byte[] {3, 4});
            assertThat(reader.entries().get(1).reuse()).isEqualTo(Reuse.POSITION_DEPENDENT);
        }
    }

    /** {@code testvectors/memo-v4.bin}, which 0.1.0 wrote. */
    @Test
    void theFirstReleasesFileIsWrittenToTheByteAndSoReadBack() throws IOException {
        assertThat(write("a.memo"))
                .isEqualTo(Files.readAllBytes(java.nio.file.Path.of("..", "testvectors", "memo-v4.bin")));
    }

    @Test
    void aFileAppearsWholeOrNotAtAll() throws IOException {
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, "a.memo", "attempt", 2)) {
            append(writer, "one", Reuse.REUSABLE, new byte[] {1}, new byte[] {2});
        }

        assertThat(file("a.memo")).doesNotExist();
        assertThat(new File(folder, IDENTITY + "/tmp")).isEmptyDirectory();
    }

    @Test
    void everyTruncationIsFoundOut() throws IOException {
        byte[] whole = write("a.memo");
        for (int length = 0; length < whole.length; length++) {
            replace("a.memo", Arrays.copyOf(whole, length));
            assertThatThrownBy(this::readAll).as("cut to %d bytes", length).isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void everyFlippedByteIsFoundOutAtAnOffset() throws IOException {
        byte[] whole = write("a.memo");
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x40;
            replace("a.memo", damaged);
            // The identity's own bytes make it another job's file before they make it a damaged one: the digest speaks
            // first.
            assertThatThrownBy(this::readAll)
                    .as("flipped at %d", at)
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("a.memo")
                    .hasMessageContaining("damaged at offset");
        }
    }

    @Test
    void bytesBehindTheEndAreFoundOut() throws IOException {
        byte[] whole = write("a.memo");
        replace("a.memo", Arrays.copyOf(whole, whole.length + 1));

        assertThatThrownBy(this::readAll).isInstanceOf(DamagedDataException.class);
    }

    @InTurn(days = 3)
    @Test
    void noiseIsNeverTakenForAMemoFile() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] whole = write("a.memo");
        for (int i = 0; i < 2000; i++) {
            byte[] noise = whole.clone();
            for (int n = 1 + random.nextInt(8); n > 0; n--) {
                noise[random.nextInt(noise.length)] += (byte) (1 + random.nextInt(255));
            }
            if (!Arrays.equals(noise, whole)) {
                replace("a.memo", noise);
                assertThatThrownBy(this::readAll).as("seed %d, %d", seed, i).isInstanceOf(DamagedDataException.class);
            }
        }
    }

    @Test
    void anotherIdentitysFileIsRefused() throws IOException {
        byte[] whole = write("a.memo");
        MemoStore other = new MemoStore(new Configuration(), new Path(folder.toURI()), fingerprint("other"));
        other.prepare("other\n");
        Files.write(new File(folder, fingerprint("other") + "/a.memo").toPath(), whole);

        assertThatThrownBy(() -> other.open("a.memo"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another job identity");
    }

    @Test
    void theCatalogOffersReusableEntriesOnly() throws IOException {
        write("a.memo");

        MemoCatalog catalog = store.catalog(dependencies -> true);

        assertThat(catalog.find(MemoKind.LEAVES, fingerprint("one")).map(MemoCatalog.Known::ref))
                .contains(new MemoCatalog.MemoRef("a.memo", 0));
        assertThat(catalog.find(MemoKind.LEAVES, fingerprint("two"))).isEmpty();
        assertThat(catalog.find(MemoKind.LEAVES, fingerprint("three"))).isEmpty();
        assertThat(catalog.isUseless(MemoKind.LEAVES)).isFalse();
    }

    @Test
    void anEntryIsAMissOnceWhatItDependsOnHasChanged() throws IOException {
        write("a.memo");

        MemoCatalog catalog = store.catalog(dependencies -> !dependencies.equals(DEPENDENCIES));

        assertThat(catalog.find(MemoKind.LEAVES, fingerprint("one"))).isEmpty();
    }

    @Test
    void whatAnotherKindOfJvmHasMadeIsNotUsed() throws IOException {
        write("a.memo");
        MemoStore elsewhere =
                new MemoStore(new Configuration(), new Path(folder.toURI()), IDENTITY, fingerprint("another JVM"));

        assertThatThrownBy(() -> elsewhere.openToUse("a.memo")).hasMessageContaining("made by a JVM with another");
        store.openToUse("a.memo").close();
    }

    @Test
    void aStoreThatOthersMayWriteToIsRefused() throws IOException {
        Set<PosixFilePermission> open = PosixFilePermissions.fromString("rwxrwx---");
        for (File shared : List.of(new File(folder, IDENTITY + "/tmp"), new File(folder, IDENTITY + ""), folder)) {
            Set<PosixFilePermission> before = Files.getPosixFilePermissions(shared.toPath());
            Files.setPosixFilePermissions(shared.toPath(), open);

            assertThatThrownBy(() -> store.prepare("document\n"))
                    .hasMessageContaining("others may write to")
                    .hasMessageContaining("chmod it to 700, or give each user a store");
            Files.setPosixFilePermissions(shared.toPath(), before);
        }
        store.prepare("document\n");
    }

    @Test
    void thePlanPassesOverWhatJvmsOfBeforeHaveMade() throws IOException {
        write("a.memo");
        Files.setLastModifiedTime(file("a.memo").toPath(), FileTime.fromMillis(1_000));
        MemoStore later =
                new MemoStore(new Configuration(), new Path(folder.toURI()), IDENTITY, fingerprint("another JVM"));
        assertThat(found("one")).contains("a.memo");

        later.leaveJvm();
        assertThat(found("one")).isEmpty();

        try (MemoWriter writer = later.writer(MemoKind.LEAVES, "b.memo", "attempt", 1)) {
            append(writer, "four", Reuse.REUSABLE, new byte[] {1});
            writer.publish();
        }
        new File(folder, IDENTITY + "/jvm.txt").delete();
        assertThat(found("one")).isEmpty();
        assertThat(found("four")).contains("b.memo");

        // And back.
        Files.setLastModifiedTime(file("b.memo").toPath(), FileTime.fromMillis(500));
        assertThat(found("one")).contains("a.memo");
        assertThat(found("four")).isEmpty();
    }

    private Optional<String> found(String chunk) throws IOException {
        return store.catalog(all -> true)
                .find(MemoKind.LEAVES, fingerprint(chunk))
                .map(known -> known.ref().file());
    }

    @Test
    void aRefusalIsRemembered() throws IOException {
        assertThat(store.refusal()).isEmpty();

        store.refuse("it writes files by itself");

        assertThat(store.refusal()).contains("it writes files by itself");
        assertThat(MemoStore.of(store.folder(), new Configuration()).refusal()).contains("it writes files by itself");
    }

    @Test
    void anEntryMarkedBadIsAMiss() throws IOException {
        write("a.memo");
        store.markBad("a.memo", 0);

        assertThat(store.catalog(dependencies -> true).find(MemoKind.LEAVES, fingerprint("one")))
                .isEmpty();
    }

    @Test
    void aDamagedFileIsAMissAndTheOthersStay() throws IOException {
        byte[] whole = write("a.memo");
        write("b.memo");
        replace("a.memo", Arrays.copyOf(whole, 100));

        assertThat(store.catalog(dependencies -> true)
                        .find(MemoKind.LEAVES, fingerprint("one"))
                        .map(MemoCatalog.Known::ref))
                .contains(new MemoCatalog.MemoRef("b.memo", 0));
    }

    @Test
    void theLastIdentityOfAJobNameIsRemembered() throws IOException {
        store.rememberLast("word count");
        MemoStore other = new MemoStore(new Configuration(), new Path(folder.toURI()), fingerprint("other"));

        assertThat(store.lastOtherIdentityDocument("word count")).isEmpty();
        assertThat(other.lastOtherIdentityDocument("word count")).contains("document\n");
        assertThat(other.lastOtherIdentityDocument("never seen")).isEmpty();
    }

    private byte[] write(String name) throws IOException {
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, name, "attempt", 2)) {
            append(writer, "one", Reuse.REUSABLE, new byte[] {1, 2}, new byte[] {3, 4});
            append(writer, "two", Reuse.POSITION_DEPENDENT, new byte[] {5}, new byte[] {});
            append(writer, "three", Reuse.UNVERIFIED, new byte[] {}, new byte[] {6});
            writer.publish();
        }
        return Files.readAllBytes(file(name).toPath());
    }

    private static void append(MemoWriter writer, String chunk, Reuse reuse, byte[]... segments) throws IOException {
        List<CounterValue> counters = List.of(new CounterValue("group", "größe", -7));
        writer.append(fingerprint(chunk), reuse, List.of(segments), counters, DEPENDENCIES);
    }

    private void readAll() throws IOException {
        try (MemoReader reader = MemoReader.open(fs, new Path(file("a.memo").toURI()))) {
            for (MemoEntry entry : reader.entries()) {
                for (SegmentRef segment : entry.segments()) {
                    reader.read(segment);
                }
            }
        }
    }

    private void replace(String name, byte[] content) throws IOException {
        Files.write(file(name).toPath(), content);
    }

    private File file(String name) {
        return new File(folder, IDENTITY + "/" + name);
    }

    private static Fingerprint fingerprint(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes()));
    }

    private void keep(String file, List<Dependency> dependencies) throws IOException {
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, file, "attempt-" + file, 1)) {
            writer.append(fingerprint("chunk"), Reuse.REUSABLE, List.of(new byte[] {1}), List.of(), dependencies);
            writer.publish();
        }
    }

    @Test
    void whatWasMadeOfFilesOfANodeIsACandidateTheNewestFirst() throws IOException {
        Dependency table = new Dependency(Dependency.Kind.HDFS, "hdfs://nn/table", "file 1");
        Dependency older = new Dependency(Dependency.Kind.PROGRAM, "read /bin/cat", "one");
        Dependency newer = new Dependency(Dependency.Kind.PROGRAM, "read /bin/cat", "two");
        keep("job_1.memo", List.of(table, older));
        keep("job_2.memo", List.of(table, newer));
        keep("job_3.memo", List.of(table, older));
        keep("job_4.memo", List.of(table));

        MemoCatalog catalog =
                store.catalog(all -> all.stream().noneMatch(one -> one.kind().isOfMachine()));
        assertThat(catalog.find(MemoKind.LEAVES, fingerprint("chunk"))
                        .orElseThrow()
                        .ref()
                        .file())
                .isEqualTo("job_4.memo");
        assertThat(catalog.onNodes(fingerprint("chunk")))
                .extracting(known -> known.ref().file())
                .containsExactly("job_3.memo", "job_2.memo");
        assertThat(catalog.onNodes(fingerprint("other"))).isEmpty();
        // The table has changed.
        assertThat(store.catalog(all -> false).onNodes(fingerprint("chunk"))).isEmpty();
    }

    @Test
    void whatOnlySaysThatAnotherEntryStandsIsNoCandidateAndHoldsNothing() throws IOException {
        Dependency program = new Dependency(Dependency.Kind.PROGRAM, "read /bin/cat", "one");
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, "a.memo", "attempt", 1)) {
            writer.append(fingerprint("chunk"), Reuse.STANDS, List.of(new byte[0]), List.of(), List.of(program));
            writer.publish();
        }
        try (MemoReader reader = store.open("a.memo")) {
            assertThat(reader.entries().get(0).reuse()).isEqualTo(Reuse.STANDS);
        }
        assertThat(store.catalog(all -> true).onNodes(fingerprint("chunk"))).isEmpty();
        assertThat(store.catalog(all -> true).find(MemoKind.LEAVES, fingerprint("chunk")))
                .isEmpty();
        assertThat(store.catalog(all -> true).isUseless(MemoKind.LEAVES)).isFalse();

        try (MemoWriter writer = store.writer(MemoKind.LEAVES, "b.memo", "attempt", 1)) {
            writer.append(fingerprint("chunk"), Reuse.STANDS, List.of(new byte[] {1}), List.of(), List.of(program));
            writer.publish();
        }
        assertThatThrownBy(() -> store.open("b.memo"))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("only says that another one stands")
                .hasMessageContaining("offset");
    }
}
