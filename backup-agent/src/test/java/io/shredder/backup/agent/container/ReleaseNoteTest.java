// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.file.Span;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReleaseNoteTest {

    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final ReleaseNote NOTE = new ReleaseNote(
            Map.of(3, List.of(new Span(64, 9000), new Span(10000, 20000)), 1, List.of(new Span(70, 71))));

    private static final String GOLDEN = "5348524446524545" + "0002" + "0000" + "00000000"
            + "00000000000000010000000000000002"
            + "%s"
            + "00000001" + "00000001" + "00000046" + "00000047"
            + "00000003" + "00000002" + "00000040" + "00002328" + "00002710" + "00004e20"
            + "%s";

    private static ReleaseNote read(byte[] bytes) throws DamagedDataException {
        return ReleaseNote.read(ByteBuffer.wrap(bytes), REPOSITORY);
    }

    private static byte[] bytes(ReleaseNote note) {
        ByteBuffer encoded = note.encode(REPOSITORY);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    @Test
    void itsBytesAreThoseOfTheDocument() throws DamagedDataException {
        byte[] bytes = bytes(NOTE);
        HexFormat hex = HexFormat.of();
        String headDigest = Fingerprint.ofData(ByteBuffer.wrap(bytes, 0, 32)).toString();
        String digest =
                Fingerprint.ofData(ByteBuffer.wrap(bytes, 0, bytes.length - 32)).toString();
        assertThat(hex.formatHex(bytes)).isEqualTo(String.format(GOLDEN, headDigest, digest));
        assertThat(read(bytes)).isEqualTo(NOTE);
        assertThat(read(bytes(new ReleaseNote(Map.of()))).ranges()).isEmpty();
    }

    @Test
    void everyFlippedBitAndEveryCutIsNoticed() {
        byte[] bytes = bytes(NOTE);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> read(flipped))
                    .as("bit " + bit)
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("releasing");
        }
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> read(cut)).as("cut at " + length).isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void rangesThatAreOutOfOrderOrTouchAreRefused() {
        for (List<Span> spans : List.of(
                List.of(new Span(64, 100), new Span(100, 200)),
                List.of(new Span(300, 400), new Span(100, 200)),
                List.of(new Span(0, 100)),
                List.of(new Span(70, 70)))) {
            byte[] bytes = bytes(new ReleaseNote(Map.of(1, spans)));
            assertThatThrownBy(() -> read(bytes))
                    .as(spans.toString())
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("a range from");
        }
    }
}
