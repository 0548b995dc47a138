// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;

/** Finds the service that knows an InputFormat, or one that it is a subclass of and reads the same records as. */
public final class ChunkFormats {

    private ChunkFormats() {}

    /**
     * How {@code inputFormat} reads chunks.
     *
     * @param inputFormat an InputFormat of either MapReduce API
     * @throws UnservedFormatException naming {@code inputFormat} and what is served, if no service knows it; or if one
     *     does and the configuration, or what a subclass adds, speaks against it
     */
    public static ChunkRecords find(Class<?> inputFormat, Configuration conf) throws UnservedFormatException {
        ServiceLoader<ChunkFormat> services = ServiceLoader.load(ChunkFormat.class, conf.getClassLoader());
        Configuration own = conf;
        Map<String, String> settings = new LinkedHashMap<>();
        Optional<UnservedFormatException> objection = Optional.empty();
        for (Class<?> type = inputFormat; type != null; type = type.getSuperclass()) {
            Optional<ChunkRecords> records = find(services, type, own);
            if (records.isPresent()) {
                if (objection.isPresent()) {
                    throw objection.get();
                }
                return settings.isEmpty() ? records.get() : new SettingRecords(records.get(), settings);
            }
            if (objection.isEmpty()) {
                objection = add(type, settings);
                own = with(settings, conf);
            }
        }
        throw unknown(inputFormat, services);
    }

    private static Optional<ChunkRecords> find(ServiceLoader<ChunkFormat> services, Class<?> type, Configuration conf)
            throws UnservedFormatException {
        for (ChunkFormat service : services) {
            Optional<ChunkRecords> records = service.find(type, conf);
            if (records.isPresent()) {
                return records;
            }
        }
        return Optional.empty();
    }

    /** Notes what a subclass sets, or gives back what speaks against it. */
    private static Optional<UnservedFormatException> add(Class<?> subclass, Map<String, String> settings) {
        try {
            // Its superclass sets its own options later, so those stand.
            settings.putAll(SubclassOf.settings(subclass));
            return Optional.empty();
        } catch (UnservedFormatException e) {
            return Optional.of(new UnservedFormatException("its input format " + e.getMessage()
                    + ", and so may read other records than the format that it extends"));
        }
    }

    private static Configuration with(Map<String, String> settings, Configuration conf) {
        if (settings.isEmpty()) {
            return conf;
        }
        Configuration own = new Configuration(conf);
        settings.forEach(own::set);
        return own;
    }

    private static UnservedFormatException unknown(Class<?> inputFormat, ServiceLoader<ChunkFormat> services) {
        String served = StreamSupport.stream(services.spliterator(), false)
                .map(ChunkFormat::served)
                .collect(Collectors.joining(", "));
        return new UnservedFormatException("its input format " + inputFormat.getName()
                + " is none of those whose records can be read from a chunk: " + served);
    }
}
