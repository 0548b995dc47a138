// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.memo.Reuse;
import io.shredder.incoop.memo.RunRecord;
import io.shredder.incoop.memo.RunRecords;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncoopMainTest {

    private static final Fingerprint IDENTITY = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {7}));

    @TempDir
    File folder;

    @Test
    void anUnknownCommandIsWrongUsage() {
        assertThat(IncoopMain.run("statistics")).isEqualTo(2);
        assertThat(IncoopMain.run("stats", "--yaml")).isEqualTo(2);
    }

    @Test
    void theStatsOfAMissingStoreAreEmpty() {
        String dir = "incoop.memo.dir=file:" + folder + "/none";

        assertThat(print("stats", "-D", dir))
                .startsWith("all: 0 memo files, 0 bytes")
                .hasLineCount(1);
        assertThat(print("gc", "-D", dir)).startsWith("0 memo files of 0 bytes collected");
    }

    @Test
    void theStatsTellWhatEachJobHasKeptAndSpared() throws IOException {
        long bytes = storeWithOneRun();
        String dir = "incoop.memo.dir=file:" + folder;

        assertThat(print("stats", "-D", dir))
                .startsWith("word count: 1 runs of 1 identities")
                .contains("; 3 of 4 chunks reused, 300 of 400 input bytes not mapped, 2 files mapped plainly;"
                        + " 1 memo files, 1 entries, " + bytes);
        assertThat(print("stats", "--json", "-D", dir))
                .contains("\"sparedBytes\":300")
                .contains("\"entries\":1")
                .contains("\"unusedBytes\":0");
    }

    @Test
    void aDryCollectionTellsWhatWouldGoAndARealOneRemovesIt() throws IOException {
        long bytes = storeWithOneRun();
        String[] rules = {
            "-D", "incoop.memo.dir=file:" + folder, "-D", "incoop.memo.grace=0s", "-D", "incoop.memo.max.bytes=1"
        };

        assertThat(print("gc", "--dry-run", rules)).startsWith("would be: 1 memo files of " + bytes + " bytes");
        assertThat(new File(folder, IDENTITY + "/a.memo")).exists();
        assertThat(print("gc", "", rules))
                .startsWith("1 memo files of " + bytes + " bytes collected, 0 of 0 bytes stay");
        assertThat(new File(folder, IDENTITY + "/a.memo")).doesNotExist();
    }

    @Test
    void aRuleThatIsNoneIsWrongUsage() {
        assertThat(IncoopMain.run("gc", "-D", "incoop.memo.grace=often")).isEqualTo(2);
        assertThat(IncoopMain.run("gc", "-D", "incoop.memo.keep.runs=0")).isEqualTo(2);
    }

    /** Returns the bytes of its only memo file, which was written long ago. */
    private long storeWithOneRun() throws IOException {
        Configuration conf = new Configuration();
        Path root = new Path(folder.toURI());
        MemoStore store = new MemoStore(conf, root, IDENTITY);
        store.prepare("document\n");
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, "a.memo", "attempt", 1)) {
            writer.append(IDENTITY, Reuse.REUSABLE, List.of(new byte[10]), List.of(), List.of());
            writer.publish();
        }
        new RunRecords(conf, root)
                .add("job_1", new RunRecord("word count", IDENTITY.toString(), 4, 3, 400, 300, 2, Set.of("a.memo")));
        File memo = new File(folder, IDENTITY + "/a.memo");
        File record = new File(folder, "runs").listFiles()[0].listFiles()[0];
        assertThat(memo.setLastModified(1_000_000) && record.setLastModified(1_000_000))
                .isTrue();
        return memo.length();
    }

    private static String print(String command, String option, String[] rules) {
        List<String> args = new ArrayList<>(List.of(command));
        if (!option.isEmpty()) {
            args.add(option);
        }
        args.addAll(List.of(rules));
        return print(args.toArray(new String[0]));
    }

    private static String print(String... args) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            assertThat(IncoopMain.run(args)).isZero();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
