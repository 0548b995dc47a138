// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.records;

import io.shredder.hdfs.records.InputRecords.RecordFormat;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Finds the service that knows an InputFormat's records. */
public final class RecordFormats {

    private RecordFormats() {}

    /**
     * The records that {@code inputFormat} reads.
     *
     * @param inputFormat a short name or the class name of an InputFormat
     * @throws IllegalArgumentException naming {@code inputFormat} and what is served, if no service knows it
     */
    public static RecordFormat find(String inputFormat, Configuration conf) {
        return services()
                .flatMap(service -> service.find(inputFormat, conf).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("InputFormat " + inputFormat
                        + " can't be served: its record ends are not known; use one of "
                        + services().map(InputRecords::served).collect(Collectors.joining(", "))
                        + ", or -inputFormat raw to cut anywhere"));
    }

    /** Of files without records. */
    public static RecordFormat raw() {
        return new TextRecords.Raw();
    }

    private static Stream<InputRecords> services() {
        return ServiceLoader.load(InputRecords.class, InputRecords.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get);
    }
}
