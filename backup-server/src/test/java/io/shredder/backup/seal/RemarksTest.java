// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RemarksTest {

    private static final Remarks ALL = new Remarks(
            List.of("weekly", "os=debian-12"),
            Optional.of("before the upgrade – é"),
            List.of(new SkippedRange(4096, 4096), new SkippedRange(1L << 40, 512)),
            Optional.of("modified 2026-11-20T10:00:00Z"));

    private static Remarks read(byte[] bytes) throws DamagedDataException {
        return Remarks.read(new BodyReader(ByteBuffer.wrap(bytes), "test", 0));
    }

    private static void assertRefused(String problem, int... bytes) {
        byte[] damaged = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            damaged[i] = (byte) bytes[i];
        }
        assertThatThrownBy(() -> read(damaged))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining(problem);
    }

    private static List<SkippedRange> ranges(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new SkippedRange(i * 8192L, 4096))
                .toList();
    }

    @Test
    void bytesStayAsTheyAre() {
        Remarks remarks = new Remarks(
                List.of("a", "b"), Optional.of("no"), List.of(new SkippedRange(4096, 512)), Optional.of("x"));
        assertThat(HexFormat.of().formatHex(remarks.encode()))
                .isEqualTo("01000161" + "01000162" + "0200026e6f" + "0300100000000000001000" + "0000000000000200"
                        + "04000178");
        assertThat(Remarks.none().encode()).isEmpty();
    }

    @Test
    void whatIsWrittenIsRead() throws DamagedDataException {
        assertThat(read(ALL.encode())).isEqualTo(ALL);
        assertThat(read(new byte[0])).isEqualTo(Remarks.none());
        assertThat(ALL.skippedBytes()).isEqualTo(4608);
        assertThat(ALL.isEmpty()).isFalse();
        assertThat(Remarks.of(List.of(), Optional.empty()).isEmpty()).isTrue();
    }

    @Test
    void theLargestFitASummary() throws DamagedDataException {
        List<String> tags = IntStream.range(0, Remarks.MAX_TAGS)
                .mapToObj(i -> "t" + i + "x".repeat(30))
                .toList();
        Remarks largest = new Remarks(
                tags, Optional.of("n".repeat(512)), ranges(Remarks.MAX_SKIPPED), Optional.of("c".repeat(128)));
        byte[] bytes = largest.encode();
        assertThat(bytes.length)
                .isLessThanOrEqualTo(Remarks.MAX_BYTES)
                .isLessThan(SnapshotInfo.MAX_SUMMARY_BYTES - 1000);
        assertThat(read(bytes)).isEqualTo(largest);
    }

    @Test
    void whatIsAboveALimitIsRefusedWithTheLimit() {
        assertThatThrownBy(() -> Remarks.none().withFindings(ranges(129), Optional.empty()))
                .hasMessage("129 unreadable ranges are more than the 128 that a snapshot can name");
        assertThatThrownBy(() -> Remarks.of(List.of("a b"), Optional.empty()))
                .hasMessage("tag 'a b' is not allowed: use 1 to 32 letters, digits and '._:=/+@-', a letter or digit"
                        + " first");
        assertThatThrownBy(() -> Remarks.of(List.of("a", "a"), Optional.empty()))
                .hasMessageContaining("at most 8 tags, all different");
        assertThatThrownBy(() -> Remarks.of(List.of(), Optional.of("é".repeat(257))))
                .hasMessage("a note of 514 bytes: use 1 to 512 bytes of UTF-8");
        assertThatThrownBy(() -> Remarks.of(List.of(), Optional.of("two\nlines")))
                .hasMessage("a note with control characters: use one line of plain text");
    }

    @Test
    void damageIsRefused() {
        assertRefused("unknown remark of type 9", 9, 0, 0);
        assertRefused("a remark of type 0", 0, 0, 0);
        assertRefused("a remark of type 1 behind one of type 2", 2, 0, 1, 'n', 1, 0, 1, 't');
        assertRefused("a remark of type 2 behind one of type 2", 2, 0, 1, 'n', 2, 0, 1, 'n');
        assertRefused("ends inside tag", 1, 0, 9, 't');
        assertRefused("tag '' is not allowed", 1, 0, 0);
        assertRefused("unreadable ranges of 0 bytes", 3, 0, 0);
        assertRefused("unreadable ranges of 17 bytes", 3, 0, 17);
        assertRefused("remarks of 3001 bytes", new int[3001]);
    }

    /** Whatever changes, it is either refused or means exactly what its bytes say: no two encodings mean the same. */
    @Test
    void randomDamageIsRefusedOrReadAsItStands() {
        Random random = Keys.seeded();
        byte[] good = ALL.encode();
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length + 8) : good.length);
            for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(read(bytes).encode())
                        .describedAs(new String(bytes, StandardCharsets.ISO_8859_1))
                        .isEqualTo(bytes);
            } catch (DamagedDataException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(5_000);
    }
}
