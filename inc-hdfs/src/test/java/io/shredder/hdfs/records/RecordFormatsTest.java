// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.junit.jupiter.api.Test;

class RecordFormatsTest {

    private final Configuration conf = new Configuration(false);

    @Test
    void textAndItsClassesHaveLines() {
        assertThat(name("text")).isEqualTo("text");
        assertThat(name(TextInputFormat.class.getName())).isEqualTo("text");
        assertThat(name("org.apache.hadoop.mapred.TextInputFormat")).isEqualTo("text");
    }

    @Test
    void onlyTextInputFormatHonoursTheDelimiter() {
        conf.set("textinputformat.record.delimiter", "\u0001|");
        assertThat(name("text")).isEqualTo("text:017c");
        assertThat(name(TextInputFormat.class.getName())).isEqualTo("text:017c");
        assertThat(name(KeyValueTextInputFormat.class.getName())).isEqualTo("text");
    }

    @Test
    void groupsOfLinesAreNamedByTheirSizeAndOneLineAGroupIsText() {
        conf.set("textinputformat.record.delimiter", "|");
        assertThat(name(NLineInputFormat.class.getName())).isEqualTo("text");
        conf.setInt("mapreduce.input.lineinputformat.linespermap", 5);
        assertThat(name(NLineInputFormat.class.getName())).isEqualTo("lines:5");
        conf.setInt("mapreduce.input.lineinputformat.linespermap", 0);
        assertThatThrownBy(() -> name("org.apache.hadoop.mapred.lib.NLineInputFormat"))
                .hasMessageContaining("linespermap is 0");
    }

    @Test
    void recordsOfFixedLengthNeedTheirLength() {
        assertThatThrownBy(() -> name("fixed")).hasMessageContaining("fixedlengthinputformat.record.length is 0");
        conf.setInt("fixedlengthinputformat.record.length", 100);
        assertThat(name("fixed")).isEqualTo("fixed:100");
        assertThat(name("org.apache.hadoop.mapred.FixedLengthInputFormat")).isEqualTo("fixed:100");
        assertThat(RecordFormats.find("fixed", conf).opaque(new Path("/a.gz"))).isPresent();
    }

    @Test
    void containersAreServedByShortNameAndByTheClassesOfBothApis() {
        assertThat(name("sequencefile")).isEqualTo("sequencefile");
        assertThat(name(SequenceFileInputFormat.class.getName())).isEqualTo("sequencefile");
        assertThat(name("org.apache.hadoop.mapred.SequenceFileAsTextInputFormat"))
                .isEqualTo("sequencefile");
        assertThat(name("org.apache.avro.mapreduce.AvroKeyInputFormat")).isEqualTo("avro");
        assertThat(name("org.apache.avro.mapred.AvroInputFormat")).isEqualTo("avro");
    }

    @Test
    void rawHasTheEmptyNameOfUnalignedManifests() {
        assertThat(name("raw")).isEmpty();
    }

    @Test
    void anInputFormatThatCannotBeServedIsRefusedByName() {
        String unserved = CombineTextInputFormat.class.getName();
        assertThatThrownBy(() -> name(unserved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(unserved)
                .hasMessageContaining("raw");
    }

    @Test
    void anInputFormatOfSomebodyElsesIsServedByTheServiceThatItsJarBrings() {
        assertThat(name("org.example.PointInputFormat")).isEqualTo("points");
        assertThatThrownBy(() -> name("org.example.Other")).hasMessageContaining("PointInputFormat");
    }

    @Test
    void anEmptyDelimiterIsRefused() {
        conf.set("textinputformat.record.delimiter", "");
        assertThatThrownBy(() -> name("text")).hasMessageContaining("textinputformat.record.delimiter");
    }

    @Test
    void aCompressedFileHasNoRecordsInItsBytes() {
        Path gz = new Path("/logs/a.gz");
        assertThat(RecordFormats.find("text", conf).opaque(gz))
                .hasValueSatisfying(why -> assertThat(why).contains(".gz").contains("it is cut anywhere"));
        assertThat(RecordFormats.find("raw", conf).opaque(gz)).isEmpty();
        assertThat(RecordFormats.find("text", conf).opaque(new Path("/logs/a.txt")))
                .isEmpty();
    }

    private String name(String inputFormat) {
        return RecordFormats.find(inputFormat, conf).manifestName();
    }
}
