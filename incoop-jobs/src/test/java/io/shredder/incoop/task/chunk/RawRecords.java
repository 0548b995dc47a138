// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.task.Staging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.jspecify.annotations.Nullable;

/** Texts with numbers as map output, for tests. */
public final class RawRecords {

    /** A record. */
    public record Pair(String key, long value) {}

    /** Writes a segment. */
    public interface Content {
        void writeTo(IFile.Writer<Text, LongWritable> writer) throws IOException, InterruptedException;
    }

    private RawRecords() {}

    public static void configure(JobConf conf) {
        conf.set("io.serializations", "org.apache.hadoop.io.serializer.WritableSerialization");
        conf.set("fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem");
        conf.setMapOutputKeyClass(Text.class);
        conf.setMapOutputValueClass(LongWritable.class);
    }

    public static FileSystem local(JobConf conf) throws IOException {
        return FileSystem.getLocal(conf).getRaw();
    }

    /** Writes a segment into a file of its own, behind a few bytes that are not its. */
    public static Staging.Staged write(JobConf conf, Path folder, @Nullable CompressionCodec codec, Content content)
            throws IOException, InterruptedException {
        var file = new org.apache.hadoop.fs.Path(
                Files.createTempFile(folder, "segment", "").toUri());
        try (FSDataOutputStream out = local(conf).create(file, true)) {
            out.writeInt(0);
            var writer = new IFile.Writer<>(conf, out, Text.class, LongWritable.class, codec, null);
            content.writeTo(writer);
            writer.close();
            return new Staging.Staged(file, Integer.BYTES, out.getPos() - Integer.BYTES, true);
        }
    }

    /** All that a reader gives. */
    public static List<Pair> read(IFile.Reader<Text, LongWritable> reader) throws IOException {
        var key = new DataInputBuffer();
        var value = new DataInputBuffer();
        List<Pair> pairs = new ArrayList<>();
        while (reader.nextRawKey(key)) {
            reader.nextRawValue(value);
            Text text = new Text();
            text.readFields(key);
            pairs.add(new Pair(text.toString(), value.readLong()));
        }
        reader.close();
        return pairs;
    }

    /** What a merge gives of these. */
    public static RawKeyValueIterator sorted(List<Pair> pairs) {
        Iterator<Pair> sorted =
                pairs.stream().sorted(Comparator.comparing(Pair::key)).iterator();
        return new RawInput() {
            @Override
            public boolean next() throws IOException {
                if (!sorted.hasNext()) {
                    return false;
                }
                Pair pair = sorted.next();
                put(new Text(pair.key()), key);
                put(new LongWritable(pair.value()), value);
                return true;
            }

            private void put(Writable from, DataInputBuffer to) throws IOException {
                var bytes = new DataOutputBuffer();
                from.write(bytes);
                to.reset(bytes.getData(), bytes.getLength());
            }
        };
    }
}
