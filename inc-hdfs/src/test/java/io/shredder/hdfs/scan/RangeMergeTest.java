// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.records.InputRecords.RecordFormat;
import io.shredder.hdfs.records.RecordAligner;
import io.shredder.hdfs.records.RecordFormats;
import io.shredder.hdfs.scan.plan.ScanSettings;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However a file is cut in parts, together they have the chunks of the file that is cut as a whole. */
class RangeMergeTest {

    private static final ChunkingParams PARAMS = ChunkingParams.builder()
            .averageBytes(1024)
            .minBytes(256)
            .maxBytes(4096)
            .digest(DigestAlgorithm.SHA_256)
            .build();
    private static final int LONGEST = 200_000;
    private static final int ROUNDS = 15;

    private static Shredder engine;

    @TempDir
    private Path folder;

    @BeforeAll
    static void open() throws IOException {
        engine = Shredder.open(
                ShredderOptions.builder().bufferBytes(1 << 16).cpuThreads(1).build());
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    /** What is in a file, and how its records end. */
    enum Content {
        LINES("text"),
        LONG_LINES("text"),
        CARRIAGE_RETURNS("text"),
        NO_LINE_END("text"),
        ZEROS("raw"),
        RANDOM("raw"),
        DELIMITED("text");

        private final String format;

        Content(String format) {
            this.format = format;
        }

        RecordFormat records() {
            Configuration conf = new Configuration(false);
            if (this == DELIMITED) {
                conf.set("textinputformat.record.delimiter", "\r\n.|");
            }
            return RecordFormats.find(format, conf);
        }

        byte[] bytes(Random random, int length) {
            byte[] bytes = new byte[length];
            switch (this) {
                case ZEROS -> {}
                case RANDOM, NO_LINE_END -> {
                    random.nextBytes(bytes);
                    for (int i = 0; i < length && this == NO_LINE_END; i++) {
                        bytes[i] |= 0x40;
                    }
                }
                case LINES -> fill(bytes, random, "\n", 80);
                case LONG_LINES -> fill(bytes, random, "\n", 30_000);
                case CARRIAGE_RETURNS -> fill(bytes, random, "\r\n", 5);
                case DELIMITED -> fill(bytes, random, "\r\n.|", 300);
            }
            return bytes;
        }

        private static void fill(byte[] bytes, Random random, String end, int longest) {
            byte[] delimiter = end.getBytes(StandardCharsets.US_ASCII);
            int next = random.nextInt(longest);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) ('a' + random.nextInt(26));
                if (i == next) {
                    for (int j = 0; j < delimiter.length && i < bytes.length; j++) {
                        bytes[i++] = delimiter[j];
                    }
                    i--;
                    next = i + 1 + random.nextInt(longest);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Content.class)
    void partsHaveTheChunksOfTheWhole(Content content) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println(content + " seed " + seed + " (again with -Dseed=" + seed + ")");
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = content.bytes(random, random.nextInt(LONGEST));
            List<Chunk> expected = whole(bytes, content.records());
            TreeSet<Long> starts = new TreeSet<>(List.of(0L));
            for (int i = random.nextInt(12); i > 0 && bytes.length > 1; i--) {
                starts.add(1L + random.nextInt(bytes.length - 1));
            }
            assertThat(parts(bytes, content.records(), new ArrayList<>(starts), 1 + random.nextInt(20_000)))
                    .as("seed %d, round %d, parts at %s", seed, round, starts)
                    .isEqualTo(expected);
        }
    }

    /** As an upload cuts it. */
    private static List<Chunk> whole(byte[] bytes, RecordFormat records) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        MessageDigest digest = PARAMS.digest().newMessageDigest();
        RecordAligner aligner = new RecordAligner(records.open("whole"), new RecordAligner.Sink() {
            private long offset;
            private int length;

            @Override
            public void data(ByteBuffer piece) {
                length += piece.remaining();
                digest.update(piece);
            }

            @Override
            public void endChunk(boolean segmentEnd) {
                Fingerprint fingerprint = Fingerprint.of(digest.digest());
                chunks.add(new Chunk(offset, length, fingerprint, offset + length == bytes.length));
                offset += length;
                length = 0;
            }
        });
        engine.chunk(Channels.newChannel(new ByteArrayInputStream(bytes)), PARAMS, false, batch -> {
            for (int i = 0; i < batch.count(); i++) {
                aligner.accept(batch.data(i), false);
            }
        });
        aligner.finish();
        return chunks;
    }

    private List<Chunk> parts(byte[] bytes, RecordFormat records, List<Long> starts, long step) throws IOException {
        assertThat(ScanSettings.cutsParts(PARAMS, records)).isTrue();
        RangeChunker chunker = new RangeChunker(engine, PARAMS, records);
        List<RangeChunks> parts = new ArrayList<>();
        Manifest.Builder manifest = Manifest.builder(PARAMS).recordFormat(records.manifestName());
        try (RangeFile file = file(bytes)) {
            for (int i = 0; i < starts.size(); i++) {
                long end = i + 1 < starts.size() ? starts.get(i + 1) : bytes.length;
                parts.add(throughBytes(chunker.chunk(file, starts.get(i), end, () -> {})));
            }
            new RangeMerge(bytes.length, (start, end) -> chunker.chunk(file, start, end, () -> {}), step, manifest)
                    .merge(parts);
        }
        return manifest.build().chunks();
    }

    private static RangeChunks throughBytes(RangeChunks chunks) throws IOException {
        DataOutputBuffer out = new DataOutputBuffer();
        chunks.write(out);
        RangeChunks read =
                RangeChunks.read(new DataInputStream(new ByteArrayInputStream(out.getData(), 0, out.getLength())));
        assertThat(read).isEqualTo(chunks);
        return read;
    }

    private RangeFile file(byte[] bytes) throws IOException {
        Path path = Files.write(folder.resolve("file"), bytes);
        LocalFileSystem local = FileSystem.getLocal(new Configuration());
        return new RangeFile(
                path.toString(), local.getRaw().open(new org.apache.hadoop.fs.Path(path.toUri())), bytes.length);
    }

    @Test
    void whereContentIsOrdinaryHardlyAnythingIsCutAgain() throws IOException {
        byte[] bytes = Content.LINES.bytes(new Random(5), 4 << 20);
        RecordFormat records = Content.LINES.records();
        RangeChunker chunker = new RangeChunker(engine, PARAMS, records);
        List<RangeChunks> parts = new ArrayList<>();
        Manifest.Builder manifest = Manifest.builder(PARAMS).recordFormat(records.manifestName());
        try (RangeFile file = file(bytes)) {
            for (long start = 0; start < bytes.length; start += 1 << 18) {
                parts.add(chunker.chunk(file, start, Math.min(bytes.length, start + (1 << 18)), () -> {}));
            }
            RangeMerge merge = new RangeMerge(
                    bytes.length, (start, end) -> chunker.chunk(file, start, end, () -> {}), 1 << 16, manifest);
            merge.merge(parts);
            assertThat(merge.cutBetween()).isLessThan(bytes.length / 20);
        }
        assertThat(manifest.build().chunks()).isEqualTo(whole(bytes, records));
    }

    @Test
    void whatHasToBeFollowedFromTheStartIsNotCutInParts() {
        Configuration overlapping = new Configuration(false);
        overlapping.set("textinputformat.record.delimiter", "aa");
        assertThat(ScanSettings.cutsParts(PARAMS, RecordFormats.find("text", overlapping)))
                .isFalse();
        for (String format : List.of("sequencefile", "avro")) {
            assertThat(ScanSettings.cutsParts(PARAMS, RecordFormats.find(format, new Configuration(false))))
                    .as(format)
                    .isFalse();
        }
        ChunkingParams shortest = ChunkingParams.builder()
                .averageBytes(64)
                .minBytes(16)
                .maxBytes(256)
                .build();
        assertThat(ScanSettings.cutsParts(shortest, RecordFormats.raw())).isFalse();
    }
}
