// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.wire.keep.KeeperAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReadAheadTest {

    private final byte[] file = new byte[200_000];
    private final List<String> asked = new ArrayList<>();
    private int end = file.length;
    private boolean lost;
    private final ReadAhead ahead = new ReadAhead(this::ask);

    ReadAheadTest() {
        for (int i = 0; i < file.length; i++) {
            file[i] = (byte) (i * 31 + i / 256);
        }
    }

    private CompletableFuture<KeeperAnswer.Bytes> ask(long position, int length) {
        asked.add(position + "+" + length);
        if (lost) {
            return CompletableFuture.failedFuture(new IOException("lost"));
        }
        int from = (int) Math.min(position, end);
        int count = Math.min(length, end - from);
        return CompletableFuture.completedFuture(
                new KeeperAnswer.Bytes("", ByteBuffer.wrap(file, from, count).slice()));
    }

    private void assertReads(long position, int length) throws IOException {
        assertThat(ahead.read(position, length).bytes())
                .isEqualTo(ByteBuffer.wrap(file, (int) position, length).slice());
    }

    @Test
    void headsOfFramesAreAskedForAheadAndEachOnce() throws IOException {
        for (int i = 0; i < 40; i++) {
            assertReads(128 + i * 3000, 100);
            int begun = i < 2 ? i + 1 : i + 17;
            assertThat(asked).as("after read %s", i).hasSize(begun);
        }
        assertThat(asked).doesNotHaveDuplicates();
    }

    @Test
    void headsAndCellsTooWhoseLengthsDiffer() throws IOException {
        for (int i = 0; i < 30; i++) {
            assertReads(128 + i * 3000, 100);
            assertReads(228 + i * 3000, 2900);
        }
        assertThat(asked).hasSize(60 + 16).doesNotHaveDuplicates();
    }

    @Test
    void whoJumpsAboutIsAskedForNothingElse() throws IOException {
        int[] places = {5, 70_000, 3, 40_000, 120_000, 9, 77, 30_000};
        for (int place : places) {
            assertReads(place, 50);
        }
        assertThat(asked).hasSize(places.length);
    }

    @Test
    void noMoreThanAMebibyteIsUnderWay() throws IOException {
        ReadAhead large = new ReadAhead(this::ask);
        for (int i = 0; i < 3; i++) {
            large.read(i * 400_000L, 400_000);
        }
        assertThat(asked).hasSize(3 + 2);
    }

    @Test
    void aJumpAfterARuleIsReadRightly() throws IOException {
        for (int i = 0; i < 5; i++) {
            assertReads(i * 1000, 1000);
        }
        assertReads(150_000, 77);
        assertReads(5000, 1000);
        assertReads(6000, 1000);
    }

    @Test
    void whatGrewSinceItWasAskedForIsThere() throws IOException {
        end = 5500;
        for (int i = 0; i < 5; i++) {
            assertReads(i * 1000, 1000);
        }
        end = file.length;
        for (int i = 5; i < 30; i++) {
            assertReads(i * 1000, 1000);
        }
    }

    @Test
    void aConnectionThatIsLostFailsTheReadThatWantsIt() throws IOException {
        for (int i = 0; i < 5; i++) {
            assertReads(i * 1000, 1000);
        }
        lost = true;
        for (int i = 5; i < 21; i++) {
            assertReads(i * 1000, 1000);
        }
        assertThatThrownBy(() -> ahead.read(21_000, 1000)).hasMessage("lost");
    }
}
