// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFilter;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A subclass of a served InputFormat is served if its class file shows that it reads the same records. */
class SubclassOfTest {

    private static final Configuration CONF = new Configuration();

    @Test
    void aSubclassThatOverridesNothingReadsWhatItsSuperclassReads() throws Exception {
        ChunkRecords records = ChunkFormats.find(SubclassFormats.Named.class, CONF);

        assertThat(records.recordFormat()).isEqualTo("text");
        assertThat(records.settings()).isEmpty();
    }

    @Test
    void aSubclassThatSetsItsDelimiterReadsRecordsOfThatDelimiter() throws Exception {
        for (Class<?> format : new Class<?>[] {SubclassFormats.ByHashes.class, SubclassFormats.OldByHashes.class}) {
            ChunkRecords records = ChunkFormats.find(format, CONF);

            assertThat(records.recordFormat()).isEqualTo("text:233b");
            assertThat(records.settings()).isEqualTo(Map.of("textinputformat.record.delimiter", "#;"));
        }
    }

    @Test
    void whatASuperclassSetsLaterStands() throws Exception {
        assertThat(ChunkFormats.find(SubclassFormats.BySemicolonsInVain.class, CONF)
                        .recordFormat())
                .isEqualTo("text:233b");
    }

    @ParameterizedTest
    @CsvSource({
        "SetsAnything, overrides createRecordReader",
        "SetsSometimes, overrides createRecordReader",
        "SetsVariable, overrides createRecordReader",
        "ReadsItsConfiguration, overrides createRecordReader",
        "Catches, overrides createRecordReader",
        "WholeFiles, overrides isSplitable",
        "Constructed, has a constructor that does more than call that of its superclass",
        "Initialised, has a static initialiser",
        "Configured, implements an interface",
    })
    void aSubclassThatMayDoMoreIsNamedWithWhatItHas(String name, String what) throws Exception {
        Class<?> format = Class.forName(SubclassFormats.class.getName() + "$" + name);

        assertThatThrownBy(() -> ChunkFormats.find(format, CONF))
                .isInstanceOf(UnservedFormatException.class)
                .hasMessage("its input format " + format.getName() + " " + what
                        + ", and so may read other records than the format that it extends");
    }

    @Test
    void theClassInBetweenIsNamedIfItIsTheOneThatDoesMore() {
        assertThatThrownBy(() -> ChunkFormats.find(SubclassFormats.WholeFilesToo.class, CONF))
                .hasMessageContaining(SubclassFormats.WholeFiles.class.getName() + " overrides isSplitable");
    }

    @Test
    void hadoopsOwnSubclassThatPicksRecordsIsNotServed() {
        assertThatThrownBy(() -> ChunkFormats.find(SequenceFileInputFilter.class, CONF))
                .hasMessageContaining(SequenceFileInputFilter.class.getName());
    }

    @Test
    void aClassWithoutAClassFileIsNotServed() throws Exception {
        Class<?> hidden = new InMemory().define(SubclassFormats.Named.class);

        assertThat(hidden.getSuperclass()).isEqualTo(TextInputFormat.class);
        assertThatThrownBy(() -> ChunkFormats.find(hidden, CONF)).hasMessageContaining("can't be looked into");
    }

    /** Keeps the bytes of its class to itself. */
    private static final class InMemory extends ClassLoader {

        InMemory() {
            super(SubclassOfTest.class.getClassLoader());
        }

        Class<?> define(Class<?> type) throws IOException {
            byte[] bytes;
            try (java.io.InputStream in = type.getResourceAsStream("SubclassFormats$Named.class")) {
                bytes = in.readAllBytes();
            }
            return defineClass(type.getName(), bytes, 0, bytes.length);
        }

        @Override
        public java.net.URL getResource(String name) {
            return null;
        }

        @Override
        public java.io.InputStream getResourceAsStream(String name) {
            return null;
        }
    }
}
