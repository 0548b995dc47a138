// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoReader;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.memo.SegmentRef;
import io.shredder.incoop.verify.Finding;
import io.shredder.incoop.verify.Verification;
import io.shredder.incoop.verify.VerifyMode;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code incoop verify} finds out in the process of the program. */
class VerifyIT extends LocalJobs {

    @TempDir
    File reports;

    @BeforeEach
    void runOnce() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(41), 4000)));
        wordCount("inc-local");
    }

    @AfterEach
    void verifyNoMore() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("incoop.verify."));
    }

    @InTurn(days = 3)
    @Test
    void anHonestStoreIsFoundEqualByAllModes() throws Exception {
        Finding full = verify(VerifyMode.Kind.FULL, 0);
        Finding cold = verify(VerifyMode.Kind.COLD, 0);
        Finding sample = verify(VerifyMode.Kind.SAMPLE, 1);
        Finding none = verify(VerifyMode.Kind.SAMPLE, 0);

        assertThat(List.of(full, cold, sample, none))
                .extracting(Finding::verdict)
                .containsOnly(Finding.Verdict.EQUAL);
        assertThat(none.text()).contains(" 0 mapped again");
        assertThat(full.text()).contains("2 files").contains("plain run");
        assertThat(cold.text()).contains("2 files").contains("cold run");
        assertThat(sample.text()).doesNotContain(" 0 mapped again").contains("the same byte for byte");
        assertThat(fs.listStatus(new Path("/user/" + System.getProperty("user.name") + "/.incoop-verify")))
                .isEmpty();
    }

    @Test
    void aStoreThatLiesIsFoundOutByAllModes() throws Exception {
        forge();

        Finding full = verify(VerifyMode.Kind.FULL, 0);
        Finding cold = verify(VerifyMode.Kind.COLD, 0);
        Finding sample = verify(VerifyMode.Kind.SAMPLE, 1);

        assertThat(List.of(full, cold, sample)).extracting(Finding::verdict).containsOnly(Finding.Verdict.DIFFERENT);
        assertThat(full.text()).contains("part-r-0000").contains(" differs at byte ");
        assertThat(cold.text()).contains("part-r-0000").contains(" differs at byte ");
        assertThat(sample.text()).contains("/in/text at 0 ").contains("partition 0 held ");
    }

    @InTurn(days = 3)
    @Test
    void aPlainJobIsCalledPlain() throws Exception {
        fs.delete(Uploads.sideFile(input), false);

        assertThat(verify(VerifyMode.Kind.SAMPLE, 1).verdict()).isEqualTo(Finding.Verdict.PLAIN);
        assertThat(verify(VerifyMode.Kind.FULL, 0).verdict()).isEqualTo(Finding.Verdict.PLAIN);
    }

    private Finding verify(VerifyMode.Kind kind, double fraction) throws Exception {
        File report = new File(reports, kind + "-" + System.nanoTime());
        Verification verification = new Verification(new VerifyMode(kind, fraction, 7), report.toPath());
        for (String argument : verification.arguments()) {
            String[] property = argument.substring(2).split("=", 2);
            System.setProperty(property[0], property[1]);
        }
        wordCount("inc-local");
        verifyNoMore();
        assertThat(verification.findings()).hasSize(1);
        return verification.findings().get(0);
    }

    /** Gives the first chunk the output of the second, in a memo file that breaks no rule. */
    private static void forge() throws IOException {
        FileStatus[] memos = fs.globStatus(new Path("/user/*/.incoop/*/*-g*.memo"));
        assertThat(memos).hasSize(1);
        // What was made of the honest output would hide the lie.
        for (FileStatus derived : fs.globStatus(new Path("/user/*/.incoop/*/*-[no]*.memo"))) {
            fs.delete(derived.getPath(), false);
        }
        Path file = memos[0].getPath();
        Fingerprint identity = Fingerprint.parseHex(file.getParent().getName());
        MemoStore store = new MemoStore(fs.getConf(), file.getParent().getParent(), identity);
        Path original = new Path("/user/original");
        fs.rename(file, original);
        try (MemoReader honest = MemoReader.open(fs, original);
                MemoWriter forged = store.writer(MemoKind.LEAVES, file.getName(), "forged", 2)) {
            for (int i = 0; i < honest.entries().size(); i++) {
                MemoEntry entry = honest.entries().get(i);
                List<byte[]> segments = new ArrayList<>();
                for (SegmentRef segment : honest.entries().get(Math.max(i, 1)).segments()) {
                    segments.add(honest.read(segment));
                }
                forged.append(entry.key(), entry.reuse(), segments, entry.counters(), entry.dependencies());
            }
            forged.publish();
        }
    }
}
