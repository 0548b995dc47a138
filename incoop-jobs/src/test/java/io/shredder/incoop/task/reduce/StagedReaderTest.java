// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.incoop.task.Staging;
import io.shredder.incoop.task.chunk.RawRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagedReaderTest {

    /** Some records are longer than the reader's first buffer, most are short. */
    private static final int[] LENGTHS = {0, 1, 10, 126, 127, 128, 1_000, 70_000, 300_000};

    @TempDir
    Path folder;

    private final JobConf conf = new JobConf(false);

    /** One for all segments of a codec, as in a merge. */
    private final Map<String, Optional<BlockUnpacker>> unpackers = new HashMap<>();

    @BeforeEach
    void configure() {
        RawRecords.configure(conf);
    }

    @Test
    void givesWhatWasWritten() throws Exception {
        for (CompressionCodec codec : codecs()) {
            for (int seed = 0; seed < 10; seed++) {
                List<RawRecords.Pair> pairs = pairs(new Random(seed));
                assertThat(RawRecords.read(reader(write(codec, pairs), codec)))
                        .as("seed %d, %s", seed, codec)
                        .isEqualTo(pairs);
            }
        }
    }

    @Test
    void manyAreReadAtATime() throws Exception {
        for (CompressionCodec codec : codecs()) {
            List<List<RawRecords.Pair>> written = new ArrayList<>();
            List<List<RawRecords.Pair>> read = new ArrayList<>();
            List<StagedReader<Text, LongWritable>> readers = new ArrayList<>();
            for (int seed = 0; seed < 6; seed++) {
                List<RawRecords.Pair> pairs = pairs(new Random(seed));
                written.add(pairs);
                read.add(new ArrayList<>());
                readers.add(reader(write(codec, pairs), codec));
            }
            var key = new DataInputBuffer();
            var value = new DataInputBuffer();
            for (boolean more = true; more; ) {
                more = false;
                for (int i = 0; i < readers.size(); i++) {
                    if (read.get(i).size() < written.get(i).size()
                            && readers.get(i).nextRawKey(key)) {
                        readers.get(i).nextRawValue(value);
                        Text text = new Text();
                        text.readFields(key);
                        read.get(i).add(new RawRecords.Pair(text.toString(), value.readLong()));
                        more = true;
                    }
                }
            }
            assertThat(read).isEqualTo(written);
        }
    }

    @Test
    void aPackedSegmentThatIsDamagedIsRefused() throws Exception {
        for (CompressionCodec codec : codecs()) {
            Staging.Staged segment = write(codec, pairs(new Random(5)));
            Path file = Path.of(segment.file().toUri());
            byte[] whole = Files.readAllBytes(file);
            Random random = new Random(9);
            for (int i = 0; i < 60; i++) {
                byte[] damaged = whole.clone();
                int at = (int) segment.offset() + random.nextInt(i < 20 ? 12 : (int) segment.length());
                damaged[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, damaged);
                assertThatThrownBy(() -> readBytes(reader(segment, codec)))
                        .as("%s, bit flipped at %d", codec, at)
                        .isInstanceOfAny(IOException.class, InternalError.class);
            }
        }
    }

    @Test
    void anEmptySegmentHasNoRecords() throws Exception {
        for (CompressionCodec codec : codecs()) {
            assertThat(RawRecords.read(reader(write(codec, List.of()), codec))).isEmpty();
        }
    }

    @Test
    void aSegmentThatIsCutOffIsRefused() throws Exception {
        Staging.Staged whole = write(null, pairs(new Random(1)));
        Staging.Staged half = new Staging.Staged(whole.file(), whole.offset(), whole.length() / 2, true);
        assertThatThrownBy(() -> RawRecords.read(reader(half, null))).isInstanceOf(IOException.class);
    }

    @Test
    void oneThatIsNeverReadIsNeverOpened() throws Exception {
        var nowhere = new Staging.Staged(new org.apache.hadoop.fs.Path("/nothing/here"), 0, 9, true);
        reader(nowhere, null).close();
    }

    /** What a key holds is for its class to say. */
    private static void readBytes(StagedReader<Text, LongWritable> reader) throws IOException {
        var buffer = new DataInputBuffer();
        while (reader.nextRawKey(buffer)) {
            reader.nextRawValue(buffer);
        }
        reader.close();
    }

    private List<@Nullable CompressionCodec> codecs() {
        List<@Nullable CompressionCodec> codecs = new ArrayList<>();
        codecs.add(null);
        codecs.add(ReflectionUtils.newInstance(DefaultCodec.class, conf));
        codecs.add(ReflectionUtils.newInstance(SnappyCodec.class, conf));
        return codecs;
    }

    private StagedReader<Text, LongWritable> reader(Staging.Staged segment, @Nullable CompressionCodec codec)
            throws IOException {
        return new StagedReader<>(
                conf,
                RawRecords.local(conf),
                segment,
                codec,
                unpackers
                        .computeIfAbsent(String.valueOf(codec), any -> BlockUnpacker.of(codec))
                        .orElse(null));
    }

    private Staging.Staged write(@Nullable CompressionCodec codec, List<RawRecords.Pair> pairs)
            throws IOException, InterruptedException {
        return RawRecords.write(conf, folder, codec, writer -> {
            for (RawRecords.Pair pair : pairs) {
                writer.append(new Text(pair.key()), new LongWritable(pair.value()));
            }
        });
    }

    private static List<RawRecords.Pair> pairs(Random random) {
        List<RawRecords.Pair> pairs = new ArrayList<>();
        for (int i = random.nextInt(2_000); i >= 0; i--) {
            boolean isLong = random.nextInt(100) == 0;
            int length = LENGTHS[random.nextInt(isLong ? LENGTHS.length : LENGTHS.length - 2)];
            pairs.add(new RawRecords.Pair("x".repeat(length), random.nextLong()));
        }
        return pairs;
    }
}
