// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import io.shredder.chunk.header.AvroHeader;
import io.shredder.chunk.header.SequenceFileHeader;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * Hadoop's SequenceFiles and Avro's object container files, for their InputFormats of both MapReduce APIs: {@code
 * docs/formats/manifest.md}, "SequenceFiles and Avro files". Not served is {@code SequenceFileInputFilter}, which may
 * pick every so many-th record of a split.
 *
 * <p>A marker's bytes inside a record do no harm here: each chunk is read from its start, so nothing is ever searched
 * for.
 */
public final class ContainerChunks implements ChunkFormat {

    private static final Set<String> SEQUENCE_FILES = Set.of(
            "org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat",
            "org.apache.hadoop.mapreduce.lib.input.SequenceFileAsTextInputFormat",
            "org.apache.hadoop.mapreduce.lib.input.SequenceFileAsBinaryInputFormat",
            "org.apache.hadoop.mapred.SequenceFileInputFormat",
            "org.apache.hadoop.mapred.SequenceFileAsTextInputFormat",
            "org.apache.hadoop.mapred.SequenceFileAsBinaryInputFormat");

    private static final Set<String> AVRO = Set.of(
            "org.apache.avro.mapreduce.AvroKeyInputFormat",
            "org.apache.avro.mapreduce.AvroKeyValueInputFormat",
            "org.apache.avro.mapred.AvroInputFormat",
            "org.apache.avro.mapred.AvroAsTextInputFormat");

    @Override
    public Optional<ChunkRecords> find(Class<?> inputFormat, Configuration conf) {
        if (SEQUENCE_FILES.contains(inputFormat.getName())) {
            return Optional.of(new ViewedRecords(
                    "sequencefile",
                    inputFormat,
                    (start, file) -> SequenceFileHeader.parse(start, file).length(),
                    SplitReading.CONTENT));
        }
        if (AVRO.contains(inputFormat.getName())) {
            return Optional.of(new ViewedRecords(
                    "avro",
                    inputFormat,
                    (start, file) -> AvroHeader.parse(start, file).length(),
                    SplitReading.CONTENT));
        }
        return Optional.empty();
    }

    @Override
    public String served() {
        return "SequenceFile(AsText|AsBinary)InputFormat, AvroInputFormat, Avro(Key|KeyValue|AsText)InputFormat";
    }
}
