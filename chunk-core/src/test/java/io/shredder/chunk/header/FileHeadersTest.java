// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Headers of SequenceFiles and Avro files, byte by byte. */
class FileHeadersTest {

    private static final String MARKER = "0123456789abcdef";

    private interface Parser {
        int length(ByteBuffer start) throws IncompleteHeaderException, DamagedDataException;
    }

    private static final Parser SEQUENCE_FILE =
            start -> SequenceFileHeader.parse(start, "file").length();
    private static final Parser AVRO = start -> AvroHeader.parse(start, "file").length();

    static Stream<Arguments> headers() {
        return Stream.of(
                Arguments.of(SEQUENCE_FILE, bytes("SEQ\6", "\1K", "\1V", "\0\0", "\0\0\0\0", MARKER)),
                Arguments.of(SEQUENCE_FILE, bytes("SEQ\6", "\1K", "\1V", "\0\0", "\0\0\0\2", "\1a\1b", "\0\0", MARKER)),
                Arguments.of(SEQUENCE_FILE, bytes("SEQ\6", "\1K", "\1V", "\1\1", "\3a.C", "\0\0\0\0", MARKER)),
                Arguments.of(
                        SEQUENCE_FILE,
                        bytes("SEQ\6", "\u008f\u00c8", "k".repeat(200), "\1V", "\0\0", "\0\0\0\0", MARKER)),
                Arguments.of(SEQUENCE_FILE, bytes("SEQ\5", "\1K", "\1V", "\1\0", "\1C", MARKER)),
                Arguments.of(SEQUENCE_FILE, bytes("SEQ\4", "\1K", "\1V", "\1\1", MARKER)),
                Arguments.of(AVRO, bytes("Obj\1", "\0", MARKER)),
                Arguments.of(AVRO, bytes("Obj\1", "\4", "\2k\2v", "\2l\0", "\0", MARKER)),
                Arguments.of(AVRO, bytes("Obj\1", "\1\10", "\2k\2v", "\2", "\2l\0", "\0", MARKER)),
                Arguments.of(AVRO, bytes("Obj\1", "\2", "\u0090\3", "k".repeat(200), "\0", "\0", MARKER)));
    }

    @ParameterizedTest
    @MethodSource("headers")
    void aHeaderEndsBehindItsMarkerWhateverFollows(Parser parser, byte[] header) throws Exception {
        byte[] more = Arrays.copyOf(header, header.length + 20);
        ByteBuffer start = ByteBuffer.wrap(more);
        assertThat(parser.length(start)).isEqualTo(header.length);
        assertThat(start.position()).as("nothing is consumed").isZero();
    }

    @ParameterizedTest
    @MethodSource("headers")
    void theStartOfAHeaderSaysHowMuchMoreItNeeds(Parser parser, byte[] header) throws Exception {
        for (int known = 0; known < header.length; known++) {
            byte[] start = Arrays.copyOf(header, known);
            int most = header.length;
            int least = known;
            assertThatThrownBy(() -> parser.length(ByteBuffer.wrap(start)))
                    .isInstanceOfSatisfying(IncompleteHeaderException.class, e -> assertThat(e.bytesNeeded())
                            .isGreaterThan(least)
                            .isLessThanOrEqualTo(most));
        }
    }

    @Test
    void theMarkersBytesAreKept() throws Exception {
        SequenceFileHeader sequenceFile = SequenceFileHeader.parse(
                ByteBuffer.wrap(bytes("SEQ\6", "\1K", "\1V", "\1\1", "\1C", "\0\0\0\0", MARKER)), "file");
        AvroHeader avro = AvroHeader.parse(ByteBuffer.wrap(bytes("Obj\1", "\0", MARKER)), "file");
        for (int i = 0; i < MARKER.length(); i++) {
            assertThat(sequenceFile.markerByte(i)).isEqualTo((byte) MARKER.charAt(i));
            assertThat(avro.markerByte(i)).isEqualTo((byte) MARKER.charAt(i));
        }
        assertThat(sequenceFile.blockCompressed()).isTrue();
    }

    @Test
    void brokenHeadersAreNamedWithTheirPlace() {
        damaged(SEQUENCE_FILE, 0, bytes("RCF\6"));
        damaged(SEQUENCE_FILE, 3, bytes("SEQ\7"));
        damaged(SEQUENCE_FILE, 3, bytes("SEQ\3"));
        damaged(SEQUENCE_FILE, 4, bytes("SEQ\6", "\u00ff"));
        damaged(SEQUENCE_FILE, 8, bytes("SEQ\6", "\1K", "\1V", "\2\0"));
        damaged(SEQUENCE_FILE, 8, bytes("SEQ\6", "\1K", "\1V", "\0\1"));
        damaged(SEQUENCE_FILE, 10, bytes("SEQ\6", "\1K", "\1V", "\0\0", "\u00ff\u00ff\u00ff\u00ff"));
        damaged(AVRO, 0, bytes("Obj\2"));
        damaged(AVRO, 5, bytes("Obj\1", "\2", "\1"));
        damaged(AVRO, 4, bytes("Obj\1", "\u00ff".repeat(10)));
    }

    @Test
    void anyBytesAreAHeaderOrTheStartOfOneOrDamaged() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            byte[] magic = bytes(random.nextBoolean() ? "SEQ\6" : "Obj\1");
            System.arraycopy(magic, 0, bytes, 0, Math.min(bytes.length, random.nextInt(5)));
            for (Parser parser : new Parser[] {SEQUENCE_FILE, AVRO}) {
                try {
                    assertThat(parser.length(ByteBuffer.wrap(bytes))).isBetween(20, bytes.length);
                } catch (DamagedDataException e) {
                    assertThat(e.offset()).isBetween(0L, (long) bytes.length);
                } catch (IncompleteHeaderException e) {
                    assertThat(e.bytesNeeded()).isGreaterThan(bytes.length);
                }
            }
        }
    }

    private static void damaged(Parser parser, long offset, byte[] start) {
        assertThatThrownBy(() -> parser.length(ByteBuffer.wrap(start)))
                .isInstanceOfSatisfying(
                        DamagedDataException.class, e -> assertThat(e.offset()).isEqualTo(offset));
    }

    private static byte[] bytes(String... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String part : parts) {
            bytes.writeBytes(part.getBytes(StandardCharsets.ISO_8859_1));
        }
        return bytes.toByteArray();
    }
}
