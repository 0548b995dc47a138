// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.memo.OtherJvmException;
import io.shredder.incoop.memo.Reuse;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoReadersTest {

    private static final Fingerprint IDENTITY = fingerprint("identity");
    private static final Fingerprint CHUNK = fingerprint("chunk");
    private static final MemoRef REF = new MemoRef("a.memo", 0);
    private static final byte[] OUTPUT = new byte[3 << 20];

    @TempDir
    File folder;

    private final Configuration conf = new Configuration();
    private final AtomicInteger signs = new AtomicInteger();

    private static Fingerprint fingerprint(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes()));
    }

    @BeforeEach
    void keep() throws IOException {
        // The raw file system, without Hadoop's own checksums: damage must reach the reader.
        conf.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
        conf.setBoolean("fs.file.impl.disable.cache", true);
        MemoStore store = store("this JVM");
        store.prepare("document\n");
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, "a.memo", "attempt", 1)) {
            writer.append(CHUNK, Reuse.REUSABLE, List.of(OUTPUT), List.of(), List.of());
            writer.publish();
        }
    }

    private MemoStore store(String jvm) throws IOException {
        return new MemoStore(conf, new Path(folder.toURI()), IDENTITY, fingerprint(jvm));
    }

    private Staging staging() throws IOException {
        return new Staging(new JobConf(), new Path(new File(folder, "staging").toURI()), signs::incrementAndGet);
    }

    private static Staging.Staged bring(MemoReaders memos, Staging into) throws IOException, InterruptedException {
        MemoEntry entry = memos.entry(MemoKind.LEAVES, REF, CHUNK, 1);
        return memos.copy(REF, entry.segments().get(0), true, into);
    }

    private File inStore(String name) {
        return new File(folder, IDENTITY + "/" + name);
    }

    @Test
    void eachPieceThatIsBroughtIsASignOfLife() throws Exception {
        try (MemoReaders memos = new MemoReaders(store("this JVM"));
                Staging staging = staging()) {
            assertThat(bring(memos, staging).length()).isEqualTo(OUTPUT.length);
        }
        assertThat(signs.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void whatAnotherJvmHasMadeIsNotMarked() throws Exception {
        try (MemoReaders memos = new MemoReaders(store("another JVM"));
                Staging staging = staging()) {
            IOException why = catchThrowableOfType(OtherJvmException.class, () -> bring(memos, staging));
            memos.giveUp(REF, why);
        }

        assertThat(inStore("a.memo.bad.0")).doesNotExist();
        assertThat(inStore("jvm.txt")).hasContent(fingerprint("another JVM").toString());
    }

    @Test
    void whatIsDamagedOrGoneIsMarked() throws Exception {
        byte[] bytes = Files.readAllBytes(inStore("a.memo").toPath());
        bytes[100] ^= 1;
        Files.write(inStore("a.memo").toPath(), bytes);
        try (MemoReaders memos = new MemoReaders(store("this JVM"));
                Staging staging = staging()) {
            IOException why = catchThrowableOfType(DamagedDataException.class, () -> bring(memos, staging));
            memos.giveUp(REF, why);
            MemoRef none = new MemoRef("none.memo", 1);
            memos.giveUp(
                    none, catchThrowableOfType(IOException.class, () -> memos.entry(MemoKind.LEAVES, none, CHUNK, 1)));
        }

        assertThat(inStore("a.memo.bad.0")).exists();
        assertThat(inStore("none.memo.bad.1")).exists();
        assertThat(inStore("jvm.txt")).doesNotExist();
    }

    @Test
    void aLocalDiskThatTakesNothingFailsTheTaskAndMarksNothing() throws Exception {
        try (MemoReaders memos = new MemoReaders(store("this JVM"))) {
            MemoEntry entry = memos.entry(MemoKind.LEAVES, REF, CHUNK, 1);
            IOException why = catchThrowableOfType(
                    IOException.class, () -> memos.copy(REF, entry.segments().get(0), new Full(), () -> {}));

            assertThatThrownBy(() -> memos.giveUp(REF, why)).isSameAs(why).hasMessageEndingWith("no space left");
            assertThatThrownBy(() -> memos.giveUp(REF, new InterruptedIOException("interrupted")))
                    .isInstanceOf(InterruptedIOException.class);
        }
        assertThat(inStore("a.memo.bad.0")).doesNotExist();
    }

    private static final class Full extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new FileNotFoundException("no space left");
        }
    }
}
