// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file whose structure is broken is refused, with the place, and never cut somewhere. */
class DamagedContainersTest {

    private static final String NAME = "some.file";

    @ParameterizedTest
    @EnumSource(
            value = RecordFile.class,
            names = {"FIXED", "SEQUENCE_FILE_BLOCKS", "AVRO"})
    void aFileThatEndsEarlyIsRefusedUnlessItEndsWhereAChunkMay(RecordFile kind) throws IOException {
        byte[] data = nonTrivial(kind);
        TreeSet<Long> ends = kind.ends(data);
        for (int length = 1; length < data.length; length++) {
            byte[] part = Arrays.copyOf(data, length);
            if (ends.contains((long) length)) {
                assertThat(read(kind, part)).isEqualTo(length);
            } else {
                assertThatThrownBy(() -> read(kind, part))
                        .as("%s after %d bytes", kind, length)
                        .isInstanceOf(DamagedDataException.class)
                        .hasMessageContaining(NAME)
                        .hasMessageContaining("offset");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = RecordFile.class,
            names = {"SEQUENCE_FILE", "SEQUENCE_FILE_RECORDS", "SEQUENCE_FILE_BLOCKS"})
    void aFlippedByteInASyncMarkIsNamedWithItsPlace(RecordFile kind) {
        byte[] data = nonTrivial(kind);
        for (long end : kind.ends(data)) {
            for (int i = 4; i < 20; i++) {
                byte[] flipped = data.clone();
                flipped[(int) end + i] ^= 1;
                assertThatThrownBy(() -> read(kind, flipped))
                        .isInstanceOf(DamagedDataException.class)
                        .hasMessageContaining("offset " + (end + i) + ":")
                        .hasMessageContaining("sync marker");
            }
        }
    }

    @Test
    void aFlippedByteInAnAvroMarkerIsNamedWithItsPlace() {
        byte[] data = nonTrivial(RecordFile.AVRO);
        int at = data.length - 5;
        data[at] ^= 1;
        assertThatThrownBy(() -> read(RecordFile.AVRO, data))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("offset " + at + ":");
    }

    @Test
    void aSecondSyncMarkBehindAnotherIsRefusedForHadoopReadsNoFurther() {
        RecordFile kind = RecordFile.SEQUENCE_FILE;
        byte[] data = nonTrivial(kind);
        int end = (int) (long) kind.ends(data).first();
        byte[] doubled = new byte[data.length + 20];
        System.arraycopy(data, 0, doubled, 0, end + 20);
        System.arraycopy(data, end, doubled, end + 20, data.length - end);
        assertThatThrownBy(() -> read(kind, doubled))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("offset " + (end + 20) + ": two sync marks");
    }

    @ParameterizedTest
    @EnumSource(
            value = RecordFile.class,
            names = {"SEQUENCE_FILE", "SEQUENCE_FILE_RECORDS", "SEQUENCE_FILE_BLOCKS", "AVRO"})
    void anyFlippedByteIsEitherRefusedOrInsideARecord(RecordFile kind) throws IOException {
        long seed = System.nanoTime();
        System.out.println(kind + " seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            byte[] data = kind.random(random);
            data[random.nextInt(data.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                assertThat(read(kind, data)).isEqualTo(data.length);
            } catch (DamagedDataException e) {
                assertThat(e.source()).isEqualTo(NAME);
                assertThat(e.offset()).isBetween(0L, (long) data.length);
            }
        }
    }

    /** With a few ends. */
    private static byte[] nonTrivial(RecordFile kind) {
        Random random = new Random(7);
        byte[] data = kind.random(random);
        while (kind.ends(data).size() < 3) {
            data = kind.random(random);
        }
        return data;
    }

    @Test
    void aSequenceFileHeaderIsReadStrictly() {
        refused("RCF\u0006", 0, "not a SequenceFile");
        refused("SEQ\u0007", 3, "version 7");
        refused("SEQ\u0003", 3, "version 3");
        refused("SEQ\u0006\u0001K\u0001V\u0000\u0001", 8, "without compression");
        refused("SEQ\u0006\u0001K\u0001V\u0002", 8, "compression is 2");
    }

    private static void refused(String start, int offset, String problem) {
        assertThatThrownBy(() -> read(RecordFile.SEQUENCE_FILE, start.getBytes(StandardCharsets.ISO_8859_1)))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining(problem)
                .hasMessageContaining("offset " + offset + ":");
    }

    private static long read(RecordFile kind, byte[] data) throws IOException {
        RecordBoundaries boundaries = RecordFormats.find(kind.inputFormat(), kind.configured(new Configuration(false)))
                .open(NAME);
        ByteArrayOutputStream passed = new ByteArrayOutputStream();
        RecordAligner aligner = new RecordAligner(boundaries, new RecordAligner.Sink() {
            @Override
            public void data(ByteBuffer piece) {
                byte[] bytes = new byte[piece.remaining()];
                piece.get(bytes);
                passed.writeBytes(bytes);
            }

            @Override
            public void endChunk(boolean segmentEnd) {}
        });
        aligner.accept(ByteBuffer.wrap(data), false);
        aligner.finish();
        return passed.size();
    }
}
