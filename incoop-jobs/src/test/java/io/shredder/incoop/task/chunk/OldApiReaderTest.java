// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.incoop.watch.RunPlainly;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.junit.jupiter.api.Test;

class OldApiReaderTest {

    @Test
    void oneKeyAndOneValueAreFilledWithoutACopy() throws Exception {
        Lines lines = new Lines("one", "two");
        OldApiReader<LongWritable, Text> reader = reader(lines);
        LongWritable key = reader.createKey();
        Text value = reader.createValue();

        assertThat(key).isSameAs(lines.key);
        assertThat(value).isSameAs(lines.value).hasToString("");
        assertThat(reader.next(key, value)).isTrue();
        assertThat(value).hasToString("one");
        assertThat(reader.next(key, value)).isTrue();
        assertThat(value).hasToString("two");
        assertThat(reader.next(key, value)).isFalse();
    }

    @Test
    void aSecondKeyOrValueNeedsAPlainRun() throws Exception {
        OldApiReader<LongWritable, Text> reader = reader(new Lines("one", "two"));
        LongWritable key = reader.createKey();
        Text value = reader.createValue();

        assertThatThrownBy(reader::createValue)
                .isInstanceOf(RunPlainly.class)
                .hasMessage("its MapRunnable makes more than one value, and a chunk's reader fills one");
        assertThatThrownBy(reader::createKey).isInstanceOf(RunPlainly.class).hasMessageContaining("more than one key");
        assertThatThrownBy(() -> reader.next(key, new Text())).isInstanceOf(RunPlainly.class);
        assertThat(reader.next(key, value)).isTrue();
    }

    @Test
    void oneThatIsMadeAfterTheFirstRecordNeedsAPlainRun() throws Exception {
        OldApiReader<LongWritable, Text> reader = reader(new Lines("one"));

        assertThat(reader.next(new LongWritable(), new Text())).isTrue();

        assertThatThrownBy(reader::createValue).isInstanceOf(RunPlainly.class);
    }

    @Test
    void objectsOfTheCallersOwnGetCopies() throws Exception {
        OldApiReader<LongWritable, Text> reader = reader(new Lines("one", "two"));
        Text first = new Text();
        Text second = new Text();

        reader.next(new LongWritable(), first);
        reader.next(new LongWritable(), second);

        assertThat(List.of(first.toString(), second.toString())).containsExactly("one", "two");
    }

    @Test
    void aChunkWithoutRecordsHasAKeyAndAValueToo() throws Exception {
        OldApiReader<LongWritable, Text> reader = reader(new Lines());
        LongWritable key = reader.createKey();
        Text value = reader.createValue();

        assertThat(key).isNotNull();
        assertThat(value).isNotNull();
        assertThat(reader.next(key, value)).isFalse();
    }

    private static OldApiReader<LongWritable, Text> reader(Lines lines) {
        return new OldApiReader<>(lines, new Configuration(false), 100, reason -> {
            throw new RunPlainly(reason);
        });
    }

    /** Fills the same key and value, and has none behind the last record, as the reader of lines. */
    private static final class Lines extends RecordReader<LongWritable, Text> {

        private final LongWritable key = new LongWritable();
        private final Text value = new Text();
        private final List<String> lines;
        private int next;

        Lines(String... lines) {
            this.lines = List.of(lines);
        }

        @Override
        public void initialize(InputSplit split, TaskAttemptContext context) {}

        @Override
        public boolean nextKeyValue() {
            key.set(next);
            value.set(next < lines.size() ? lines.get(next) : "");
            return next++ < lines.size();
        }

        @Override
        public LongWritable getCurrentKey() {
            return next > lines.size() ? null : key;
        }

        @Override
        public Text getCurrentValue() {
            return next > lines.size() ? null : value;
        }

        @Override
        public float getProgress() {
            return 0;
        }

        @Override
        public void close() {}
    }
}
