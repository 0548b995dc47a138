// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;

/** Writes records as local files of each format. */
final class InputFiles {
    /** Avro's writers draw one at random, which would make every version of a file another. */
    private static final byte[] SYNC_MARKER = "sixteen bytes ok".getBytes(StandardCharsets.ISO_8859_1);

    private InputFiles() {}

    static void writeText(Path file, List<String> records, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        records.forEach(record -> text.append(record).append(end));
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
    }

    /** What stands before the tabulator. */
    static Text key(String record) {
        int tab = record.indexOf('\t');
        return new Text(tab < 0 ? record : record.substring(0, tab));
    }

    static void writeSequenceFile(Path file, List<String> records) throws IOException {
        try (SequenceFile.Writer out = SequenceFile.createWriter(
                new Configuration(),
                SequenceFile.Writer.file(new org.apache.hadoop.fs.Path(file.toUri())),
                SequenceFile.Writer.keyClass(Text.class),
                SequenceFile.Writer.valueClass(Text.class),
                SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))) {
            for (String record : records) {
                Text key = key(record);
                out.append(key, new Text(record.substring(Math.min(record.length(), key.getLength() + 1))));
            }
        }
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    }

    static void writeAvro(Path file, List<String> records) throws IOException {
        Schema schema = Schema.create(Schema.Type.STRING);
        try (DataFileWriter<CharSequence> out = new DataFileWriter<>(new GenericDatumWriter<CharSequence>(schema))) {
            out.setSyncInterval(2000);
            out.create(schema, Files.newOutputStream(file), SYNC_MARKER);
            for (String record : records) {
                out.append(record);
            }
        }
    }
}
