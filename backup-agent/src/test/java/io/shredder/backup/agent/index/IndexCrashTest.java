// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.index.FaultyFolder.PowerLoss;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Power loss and failure at every call that changes a file or a name; -Dindex.crash.rounds=N: more histories. */
class IndexCrashTest {

    private static final int ROUNDS = Integer.getInteger("index.crash.rounds", 1);
    private static final int COMMITS = 40;
    private static final int TABLE_ENTRIES = 24;

    /** What the index must hold: after the last commit that returned, and after the one that had begun. */
    private static final class Expected {
        private Map<Fingerprint, ChunkLocation> committed = new HashMap<>();
        private Map<Fingerprint, ChunkLocation> begun = new HashMap<>();
        private int committedPosition;
        private int begunPosition;

        void begin(Map<Fingerprint, ChunkLocation> state) {
            begun = new HashMap<>(state);
            begunPosition++;
        }

        void done() {
            committed = begun;
            committedPosition = begunPosition;
        }

        void check(FingerprintIndex index, String when) throws IOException {
            Map<Fingerprint, ChunkLocation> found = new HashMap<>();
            index.forEach(found::put);
            assertThat(index.covered().offset()).as(when).isBetween(committedPosition, begunPosition);
            assertThat(found).as(when).isEqualTo(index.covered().offset() == begunPosition ? begun : committed);
            assertThat(index.size()).as(when).isEqualTo(found.size());
        }
    }

    private static LogStructuredIndex open(FaultyFolder folder) throws IOException {
        return LogStructuredIndex.open(LogStructuredIndexTest.files(folder), TABLE_ENTRIES, Runnable::run);
    }

    private static FaultyFolder empty() throws IOException {
        FaultyFolder folder = new FaultyFolder();
        LogStructuredIndex.create(LogStructuredIndexTest.files(folder));
        return folder;
    }

    private static void change(FingerprintIndex index, Map<Fingerprint, ChunkLocation> state, Random random)
            throws IOException {
        int number = random.nextInt(300);
        Fingerprint fingerprint = FingerprintIndexContract.fingerprint(number);
        if (random.nextInt(4) == 0) {
            state.remove(fingerprint);
            index.remove(fingerprint);
        } else {
            ChunkLocation location = FingerprintIndexContract.location(random.nextInt(1000));
            state.put(fingerprint, location);
            index.put(fingerprint, location);
        }
    }

    /** Commits {@link #COMMITS} times; the same calls for the same seed. */
    private static void history(FaultyFolder folder, long seed, Expected expected) throws IOException {
        Random random = new Random(seed);
        Map<Fingerprint, ChunkLocation> state = new HashMap<>();
        LogStructuredIndex index = open(folder);
        for (int commit = 0; commit < COMMITS; commit++) {
            for (int i = random.nextInt(20); i >= 0; i--) {
                change(index, state, random);
            }
            expected.begin(state);
            index.commit(new ContainerPosition(0, expected.begunPosition));
            expected.done();
            if (random.nextInt(8) == 0) {
                index.close();
                index = open(folder);
            }
        }
    }

    private static int callsOf(long seed) throws IOException {
        FaultyFolder folder = empty();
        int before = folder.calls();
        history(folder, seed, new Expected());
        return folder.calls() - before;
    }

    @Test
    void powerLostAtAnyCallLeavesTheLastCommitOrTheOneBegun() throws IOException {
        long seed = Samples.seed();
        for (int round = 0; round < ROUNDS; round++, seed++) {
            int calls = callsOf(seed);
            assertThat(calls).isGreaterThan(200);
            for (int call = 0; call < calls; call++) {
                losePower(seed, call);
            }
        }
    }

    private static void losePower(long seed, int call) throws IOException {
        FaultyFolder folder = empty();
        folder.losePowerAt(call);
        Expected expected = new Expected();
        try {
            history(folder, seed, expected);
        } catch (PowerLoss e) {
            assertThat(e).isNotNull();
        }
        Random random = new Random(seed + call);
        for (int kept = 0; kept < 3; kept++) {
            String when = "power lost at call " + call + " of seed " + seed + ", choice " + kept;
            FaultyFolder after = folder.afterLoss(kept == 0 ? null : random);
            try (LogStructuredIndex index = open(after)) {
                expected.check(index, when);
            }
            goOn(after, when);
        }
    }

    /** The index works as before, also when opened once more. */
    private static void goOn(FaultyFolder folder, String when) throws IOException {
        Expected expected = new Expected();
        Map<Fingerprint, ChunkLocation> state = new HashMap<>();
        try (LogStructuredIndex index = open(folder)) {
            index.forEach(state::put);
            Random random = new Random(1);
            for (int i = 0; i < 40; i++) {
                change(index, state, random);
            }
            expected.begunPosition = 1000;
            expected.begin(state);
            index.commit(new ContainerPosition(0, expected.begunPosition));
            expected.done();
        }
        try (LogStructuredIndex index = open(folder)) {
            expected.check(index, when + ", and went on");
        }
    }

    @InTurn(days = 3)
    @Test
    void aCallThatFailsLosesNothingAndTheIndexGoesOnOrIsOpenedAgain() throws IOException {
        long seed = Samples.seed();
        int calls = callsOf(seed);
        for (int call = 0; call < calls; call++) {
            String when = "call " + call + " of seed " + seed + " failed";
            FaultyFolder folder = empty();
            folder.failAt(call);
            Expected expected = new Expected();
            try {
                history(folder, seed, expected);
            } catch (IOException e) {
                assertThat(e).as(when).hasStackTraceContaining("No space left on device");
            }
            try (LogStructuredIndex index = open(folder)) {
                expected.check(index, when);
            }
            goOn(folder, when);
        }
    }

    /** A first commit's calls: 0 to 3 make the segment, 4 to 8 publish the manifest (7, 8 its name), 9, 10 append. */
    @Test
    void aCommitThatFailedIsTriedAgainByTheNext() throws IOException {
        FaultyFolder folder = empty();
        int put = 0;
        for (int call : new int[] {0, 1, 2, 3, 4, 5, 6, 9, 10}) {
            Fingerprint fingerprint = FingerprintIndexContract.fingerprint(put++);
            try (LogStructuredIndex index = open(folder)) {
                index.put(fingerprint, FingerprintIndexContract.location(call));
                folder.failAt(call);
                assertThatThrownBy(() -> index.commit(new ContainerPosition(1, 100 + call)))
                        .hasMessage("No space left on device");
                assertThat(index.find(fingerprint)).contains(FingerprintIndexContract.location(call));
                index.commit(new ContainerPosition(1, 200 + call));
            }
            try (LogStructuredIndex index = open(folder)) {
                assertThat(index.find(fingerprint)).contains(FingerprintIndexContract.location(call));
                assertThat(index.size()).isEqualTo(put);
            }
        }
    }
}
