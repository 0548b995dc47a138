// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Hadoop's SequenceFiles and Avro's object container files, for their InputFormats of both MapReduce APIs. Class names
 * are compared exactly, and need not be on the class path. Compressed records or blocks are no hindrance, since nothing
 * within them is looked at.
 */
public final class ContainerRecords implements InputRecords {

    private static final Set<String> SEQUENCE_FILES = Set.of(
            "sequencefile",
            "org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat",
            "org.apache.hadoop.mapreduce.lib.input.SequenceFileAsTextInputFormat",
            "org.apache.hadoop.mapreduce.lib.input.SequenceFileAsBinaryInputFormat",
            "org.apache.hadoop.mapred.SequenceFileInputFormat",
            "org.apache.hadoop.mapred.SequenceFileAsTextInputFormat",
            "org.apache.hadoop.mapred.SequenceFileAsBinaryInputFormat");

    private static final Set<String> AVRO = Set.of(
            "avro",
            "org.apache.avro.mapreduce.AvroKeyInputFormat",
            "org.apache.avro.mapreduce.AvroKeyValueInputFormat",
            "org.apache.avro.mapred.AvroInputFormat",
            "org.apache.avro.mapred.AvroAsTextInputFormat");

    @Override
    public Optional<RecordFormat> find(String inputFormat, Configuration conf) {
        if (SEQUENCE_FILES.contains(inputFormat)) {
            return Optional.of(new Container("sequencefile", SequenceFileBoundaries::new));
        }
        if (AVRO.contains(inputFormat)) {
            return Optional.of(new Container("avro", AvroBoundaries::new));
        }
        return Optional.empty();
    }

    @Override
    public String served() {
        return "sequencefile, avro, SequenceFile(AsText|AsBinary)InputFormat, Avro(Key|KeyValue|AsText)InputFormat";
    }

    private record Container(String manifestName, Function<String, RecordBoundaries> boundaries)
            implements RecordFormat {

        @Override
        public Optional<String> opaque(Path file) {
            return Optional.empty();
        }

        @Override
        public RecordBoundaries open(String file) {
            return boundaries.apply(file);
        }
    }
}
