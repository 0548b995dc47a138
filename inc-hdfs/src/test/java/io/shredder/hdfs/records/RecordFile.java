// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.SequenceFile.Metadata;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.DefaultCodec;

/**
 * Random files of a kind, written by Hadoop or Avro themselves where there is a structure, with false markers in their
 * data; and where a chunk may end in them, as Hadoop or Avro themselves say.
 */
public enum RecordFile {
    /** Lines ended by LF, CR or CRLF, some with a byte order mark. */
    LINES("org.apache.hadoop.mapreduce.lib.input.TextInputFormat") {
        @Override
        public byte[] random(Random random) {
            return text(random, "a", "bc\t", "\n", "\n", "\r\n", "\r", "\uFEFF", "d ");
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            return lineEnds(data, 1);
        }
    },
    /** The same, for mappers of three lines each. */
    LINE_GROUPS("org.apache.hadoop.mapreduce.lib.input.NLineInputFormat") {
        @Override
        public Configuration configured(Configuration conf) {
            conf.setInt("mapreduce.input.lineinputformat.linespermap", 3);
            return conf;
        }

        @Override
        public byte[] random(Random random) {
            return LINES.random(random);
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            return lineEnds(data, 3);
        }
    },
    /** Records of 7 bytes. */
    FIXED("org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat") {
        @Override
        public Configuration configured(Configuration conf) {
            conf.setInt("fixedlengthinputformat.record.length", 7);
            return conf;
        }

        @Override
        public byte[] random(Random random) {
            byte[] data = new byte[7 * (1 + random.nextInt(60))];
            random.nextBytes(data);
            return data;
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            TreeSet<Long> ends = new TreeSet<>();
            for (long end = 7; end < data.length; end += 7) {
                ends.add(end);
            }
            return ends;
        }
    },
    /** Records of 8 bytes, by a service of the test's own. */
    POINTS("org.example.PointInputFormat") {
        @Override
        public byte[] random(Random random) {
            byte[] data = new byte[8 * (1 + random.nextInt(60))];
            random.nextBytes(data);
            return data;
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            TreeSet<Long> ends = new TreeSet<>();
            for (long end = 8; end < data.length; end += 8) {
                ends.add(end);
            }
            return ends;
        }
    },
    /** Text to text, no compression. */
    SEQUENCE_FILE("org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat") {
        @Override
        public byte[] random(Random random) {
            return sequenceFile(random, CompressionType.NONE);
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            return markedEnds(data);
        }
    },
    /** Text to text, each value compressed. */
    SEQUENCE_FILE_RECORDS("org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat") {
        @Override
        public byte[] random(Random random) {
            return sequenceFile(random, CompressionType.RECORD);
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            return markedEnds(data);
        }
    },
    /** Text to text, in compressed blocks. */
    SEQUENCE_FILE_BLOCKS("org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat") {
        @Override
        public byte[] random(Random random) {
            return sequenceFile(random, CompressionType.BLOCK);
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            return markedEnds(data);
        }
    },
    /** Strings. */
    AVRO("org.apache.avro.mapreduce.AvroKeyInputFormat") {
        @Override
        public byte[] random(Random random) {
            return avro(random);
        }

        @Override
        TreeSet<Long> ends(byte[] data) {
            return avroEnds(data);
        }
    };

    private static final Schema STRINGS = SchemaBuilder.builder().stringType();

    private final String inputFormat;

    RecordFile(String inputFormat) {
        this.inputFormat = inputFormat;
    }

    /** Class name of an InputFormat that reads such files. */
    public String inputFormat() {
        return inputFormat;
    }

    /** Adds what the InputFormat needs to be told. */
    public Configuration configured(Configuration conf) {
        return conf;
    }

    /** A file of a few hundred to a few thousand bytes. */
    public abstract byte[] random(Random random);

    /** Where a chunk may end, but for the end of the file. */
    abstract TreeSet<Long> ends(byte[] data);

    private static byte[] text(Random random, String... pieces) {
        StringBuilder text = new StringBuilder("x");
        for (int i = random.nextInt(120); i >= 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Every {@code lines}-th line's end, by the definition alone. */
    private static TreeSet<Long> lineEnds(byte[] data, int lines) {
        TreeSet<Long> ends = new TreeSet<>();
        int seen = 0;
        for (int i = 1; i < data.length; i++) {
            boolean end = data[i - 1] == '\n' || (data[i - 1] == '\r' && data[i] != '\n');
            if (end && ++seen % lines == 0) {
                ends.add((long) i);
            }
        }
        return ends;
    }

    private static byte[] sequenceFile(Random random, CompressionType compression) {
        Configuration conf = new Configuration(false);
        conf.setInt("io.seqfile.compress.blocksize", 64);
        DefaultCodec codec = new DefaultCodec();
        codec.setConf(conf);
        Metadata metadata = new Metadata();
        for (int i = random.nextInt(3); i > 0; i--) {
            metadata.set(new Text("name" + i), new Text("v".repeat(random.nextInt(300))));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (FSDataOutputStream out = new FSDataOutputStream(bytes, null);
                SequenceFile.Writer writer = SequenceFile.createWriter(
                        conf,
                        SequenceFile.Writer.stream(out),
                        SequenceFile.Writer.keyClass(Text.class),
                        SequenceFile.Writer.valueClass(BytesWritable.class),
                        SequenceFile.Writer.compression(compression, codec),
                        SequenceFile.Writer.metadata(metadata),
                        SequenceFile.Writer.syncInterval(1 + random.nextInt(400)))) {
            byte[] header = bytes.toByteArray();
            byte[] mark = new byte[20];
            Arrays.fill(mark, 0, 4, (byte) 0xFF);
            System.arraycopy(header, header.length - 16, mark, 4, 16);
            for (int i = random.nextInt(60); i > 0; i--) {
                writer.append(new Text("k".repeat(random.nextInt(20)) + i), new BytesWritable(value(random, mark)));
            }
            if (random.nextBoolean() && bytes.size() > header.length) {
                writer.sync();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Any bytes, or what looks like a marker. */
    private static byte[] value(Random random, byte[] mark) {
        if (random.nextInt(4) == 0) {
            return mark;
        }
        byte[] value = new byte[random.nextInt(80)];
        random.nextBytes(value);
        return value;
    }

    /** Records that Hadoop's reader has seen a marker before, and a marker at the very end. */
    private static TreeSet<Long> markedEnds(byte[] data) {
        TreeSet<Long> ends = new TreeSet<>();
        File file = null;
        try {
            file = File.createTempFile("records", ".seq");
            Files.write(file.toPath(), data);
            try (SequenceFile.Reader reader = new SequenceFile.Reader(
                    new Configuration(false), SequenceFile.Reader.file(new Path(file.toURI())))) {
                long before = reader.getPosition();
                Text key = new Text();
                BytesWritable value = new BytesWritable();
                while (reader.next(key, value)) {
                    if (reader.syncSeen()) {
                        ends.add(before);
                    }
                    before = reader.getPosition();
                }
                boolean markedAtTheEnd = data.length - before == 20;
                if (markedAtTheEnd) {
                    ends.add(before);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (file != null) {
                file.delete();
            }
        }
        return ends;
    }

    private static byte[] avro(Random random) {
        byte[] mark = new byte[16];
        random.nextBytes(mark);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(STRINGS))) {
            writer.setCodec(random.nextBoolean() ? CodecFactory.nullCodec() : CodecFactory.deflateCodec(1));
            writer.setSyncInterval(32 + random.nextInt(400));
            writer.setMeta("note", "n".repeat(random.nextInt(300)));
            writer.create(STRINGS, bytes, mark);
            for (int i = random.nextInt(80); i > 0; i--) {
                byte[] value = value(random, mark);
                writer.append(new Utf8(value));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static TreeSet<Long> avroEnds(byte[] data) {
        TreeSet<Long> ends = new TreeSet<>();
        try (DataFileReader<Object> reader =
                new DataFileReader<>(new SeekableByteArrayInput(data), new GenericDatumReader<>(STRINGS))) {
            for (ends.add(reader.previousSync()); reader.hasNext(); ends.add(reader.previousSync())) {
                reader.nextBlock();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ends.remove((long) data.length);
        return ends;
    }
}
