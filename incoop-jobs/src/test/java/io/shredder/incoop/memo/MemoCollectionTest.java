// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoCollectionTest {

    private static final Fingerprint IDENTITY = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {5}));

    @TempDir
    File folder;

    private final Configuration conf = new Configuration();
    private MemoStore store;
    private RunRecords records;

    @BeforeEach
    void openStore() throws IOException {
        Path root = new Path(folder.toURI());
        store = new MemoStore(conf, root, IDENTITY);
        store.prepare("document\n");
        records = new RunRecords(conf, root);
        conf.setInt(IncoopKeys.MEMO_KEEP_RUNS, 2);
        conf.set(IncoopKeys.MEMO_GRACE, "24h");
    }

    @Test
    void filesOfTheLastRunsStayAndOlderOnesGo() throws IOException {
        memo("first.memo", 100);
        memo("second.memo", 90);
        memo("third.memo", 80);
        memo("shared.memo", 100);
        run("job_1", "a", 100, "first.memo", "shared.memo");
        run("job_2", "a", 90, "second.memo");
        run("job_3", "a", 80, "third.memo", "shared.memo");

        MemoCollection.Outcome outcome = collect();

        assertThat(outcome.files()).isEqualTo(1);
        assertThat(memos()).containsExactly("second.memo", "shared.memo", "third.memo");
        assertThat(records.all()).hasSize(2);
    }

    @Test
    void eachJobNameKeepsItsOwnRuns() throws IOException {
        memo("a.memo", 300);
        memo("b.memo", 100);
        run("job_1", "a", 300, "a.memo");
        for (int i = 2; i < 6; i++) {
            run("job_" + i, "b", 100 - i, "b.memo");
        }

        collect();

        assertThat(memos()).containsExactly("a.memo", "b.memo");
    }

    @Test
    void aJobNameThatRunsNoMoreKeepsNothing() throws IOException {
        conf.set(IncoopKeys.MEMO_KEEP_TIME, "10d");
        memo("ended.memo", 300);
        memo("monthly.memo", 700);
        run("job_1", "daily-2026-11-01", 241, "ended.memo");
        run("job_2", "monthly", 700, "monthly.memo");
        run("job_3", "monthly", 239);

        collect();

        assertThat(memos()).containsExactly("monthly.memo");
        assertThat(records.all()).extracting(run -> run.record().job()).containsExactly("monthly", "monthly");
    }

    @Test
    void whatCrashedAttemptsLeftGoesOfEveryIdentity() throws IOException {
        memo("a.memo", 2);
        File tmp = new File(folder, IDENTITY + "/tmp");
        for (String name : List.of("old", "new")) {
            Files.writeString(new File(tmp, name).toPath(), "left");
        }
        age(new File(tmp, "old"), 8 * 24);
        age(new File(tmp, "new"), 6 * 24);

        collect();

        assertThat(tmp.list()).containsExactly("new");
    }

    @Test
    void whatIsYoungerThanTheGraceStays() throws IOException {
        memo("unused.memo", 100);
        memo("being-written.memo", 2);
        memo("of-a-running-job.memo", 100);
        for (int i = 0; i < 6; i++) {
            run("job_" + i, "a", 3, "of-a-running-job.memo");
        }
        conf.setLong(IncoopKeys.MEMO_MAX_BYTES, 1);

        MemoCollection.Outcome outcome = collect();

        assertThat(memos()).containsExactly("being-written.memo", "of-a-running-job.memo");
        assertThat(outcome.summary()).contains("more than incoop.memo.max.bytes (1)");
    }

    @Test
    void overTheBudgetWhatWasUsedLongestAgoGoesFirst() throws IOException {
        memo("old.memo", 300);
        memo("older.memo", 300);
        memo("new.memo", 300);
        run("job_1", "a", 200, "older.memo");
        run("job_2", "b", 100, "old.memo");
        run("job_3", "c", 50, "new.memo");
        long each = new File(folder, IDENTITY + "/old.memo").length();
        conf.setLong(IncoopKeys.MEMO_MAX_BYTES, 2 * each);

        assertThat(collect().bytes()).isEqualTo(each);
        assertThat(memos()).containsExactly("new.memo", "old.memo");
    }

    @Test
    void aDryRunChangesNothing() throws IOException {
        memo("unused.memo", 100);

        MemoCollection.Outcome outcome =
                MemoCollection.of(conf, new Path(folder.toURI())).run(true);

        assertThat(outcome.files()).isEqualTo(1);
        assertThat(memos()).containsExactly("unused.memo");
    }

    @Test
    void unfinishedFilesOfARunningJobStayAndEmptyIdentitiesGo() throws IOException {
        conf.set(IncoopKeys.MEMO_GRACE, "0s");
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, "late.memo", "attempt", 1)) {
            age(new File(folder, IDENTITY.toString()), 100);
            collect();
            writer.append(IDENTITY, Reuse.REUSABLE, List.of(new byte[1]), List.of(), List.of());
            writer.publish();
        }
        assertThat(memos()).containsExactly("late.memo");

        memo("late.memo", 100);
        ageAll(100);
        collect();

        assertThat(new File(folder, IDENTITY.toString())).doesNotExist();
    }

    @Test
    void aRecordIsReadBackAsItWasWritten() throws IOException {
        RunRecord record = new RunRecord(
                "name = of\nlines", IDENTITY.toString(), 4, 3, 1L << 40, 7, 2, Set.of("b.memo", "a.memo"));

        RunRecord read = RunRecord.decode(record.encode(), "record");

        assertThat(read.job()).isEqualTo("name = of lines");
        assertThat(read.files()).isEqualTo(record.files());
        assertThat(read.bytes()).isEqualTo(1L << 40);
        assertThat(read.plainFiles()).isEqualTo(2);
        assertThat(read.encode()).isEqualTo(record.encode());
    }

    @Test
    void aRecordThatIsNoneIsRefusedByNameAndCountsForNothing() throws IOException {
        for (String text : List.of("", "version = 2\n", "version = 1\nchunks = many\n", "noise")) {
            assertThatThrownBy(() -> RunRecord.decode(text, "the-record"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the-record");
        }
        run("job_1", "a", 100, "a.memo");
        File record = new File(folder, "runs").listFiles()[0].listFiles()[0];
        Files.writeString(record.toPath(), "noise");
        assertThat(records.all()).isEmpty();
    }

    private MemoCollection.Outcome collect() throws IOException {
        return MemoCollection.of(conf, new Path(folder.toURI())).run(false);
    }

    private void memo(String name, int hoursAgo) throws IOException {
        new File(folder, IDENTITY + "/" + name).delete();
        try (MemoWriter writer = store.writer(MemoKind.LEAVES, name, "attempt", 1)) {
            writer.append(IDENTITY, Reuse.REUSABLE, List.of(new byte[100]), List.of(), List.of());
            writer.publish();
        }
        age(new File(folder, IDENTITY + "/" + name), hoursAgo);
    }

    private void run(String id, String job, int hoursAgo, String... files) throws IOException {
        records.add(id, new RunRecord(job, IDENTITY.toString(), 1, 1, 1, 1, 0, Set.of(files)));
        age(new File(folder, "runs/" + MemoStore.digest(job) + "/" + id), hoursAgo);
    }

    private void ageAll(int hoursAgo) {
        File identity = new File(folder, IDENTITY.toString());
        for (File child : identity.listFiles()) {
            age(child, hoursAgo);
        }
    }

    private static void age(File file, int hoursAgo) {
        assertThat(file.setLastModified(System.currentTimeMillis() - TimeUnit.HOURS.toMillis(hoursAgo)))
                .isTrue();
    }

    private List<String> memos() {
        String[] names = new File(folder, IDENTITY.toString()).list((dir, name) -> MemoStore.isMemoFile(name));
        Arrays.sort(names);
        return List.of(names);
    }
}
