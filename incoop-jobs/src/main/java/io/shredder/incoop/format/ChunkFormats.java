// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;

/** Finds the service that knows an InputFormat. */
public final class ChunkFormats {

    private ChunkFormats() {}

    /**
     * How {@code inputFormat} reads chunks.
     *
     * @param inputFormat an InputFormat of either MapReduce API
     * @throws UnservedFormatException naming {@code inputFormat} and what is served, if no service knows it; or if one does and
     *     the configuration speaks against it
     */
    public static ChunkRecords find(Class<?> inputFormat, Configuration conf) throws UnservedFormatException {
        ServiceLoader<ChunkFormat> services = ServiceLoader.load(ChunkFormat.class, conf.getClassLoader());
        for (ChunkFormat service : services) {
            Optional<ChunkRecords> records = service.find(inputFormat, conf);
            if (records.isPresent()) {
                return records.get();
            }
        }
        String served = StreamSupport.stream(services.spliterator(), false)
                .map(ChunkFormat::served)
                .collect(Collectors.joining(", "));
        throw new UnservedFormatException("its input format " + inputFormat.getName()
                + " is none of those whose records can be read from a chunk: " + served);
    }
}
