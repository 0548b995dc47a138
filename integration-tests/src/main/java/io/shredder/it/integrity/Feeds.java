// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.Backend;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderException;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the {@link BlockFeed} of each variant. Engines are opened once and kept, as a client would, so that nobody's
 * start is measured. For one thread.
 */
final class Feeds implements AutoCloseable {
    private final DigestAlgorithm digest;
    private final int cores;
    private final Map<Variant, Shredder> engines = new EnumMap<>(Variant.class);
    private final Map<Known, List<ReadingFeed.Part>> known = new HashMap<>();

    /** What the oracle knows the blocks of. */
    private record Known(Path file, Cutting cutting) {}

    /** @param cores that the client may use */
    Feeds(DigestAlgorithm digest, int cores) {
        this.digest = digest;
        this.cores = cores;
    }

    /**
     * To be closed by the caller.
     *
     * @param files that it will be asked for; the oracle looks at them now
     */
    BlockFeed of(Variant variant, Cutting cutting, List<Path> files) throws IOException {
        ReadingFeed.Places fixed = file -> ReadingFeed.ofLength(Files.size(file), cutting.blockBytes());
        return switch (variant) {
            case NONE -> ReadingFeed.of(fixed, cores);
            case CPU_1, CPU ->
                cutting.byContent()
                        ? onEngine(variant, cutting)
                        : ReadingFeed.digesting(fixed, cores, variant == Variant.CPU ? cores : 1, digest);
            case GPU -> onEngine(variant, cutting);
            case ORACLE -> oracle(cutting, files);
        };
    }

    private BlockFeed onEngine(Variant variant, Cutting cutting) throws ShredderException {
        Shredder engine = engine(variant);
        return (file, taker) ->
                engine.chunkFile(file, cutting.params(digest), true, batch -> taker.take(Blocks.of(batch)));
    }

    private Shredder engine(Variant variant) throws ShredderException {
        Shredder engine = engines.get(variant);
        if (engine == null) {
            var options = ShredderOptions.builder();
            if (variant == Variant.GPU) {
                options.backend(Backend.CUDA).device(0);
            } else {
                options.backend(Backend.CPU).cpuThreads(variant == Variant.CPU ? cores : 1);
            }
            engine = Shredder.open(options.readerThreads(Math.min(8, cores)).build());
            engines.put(variant, engine);
        }
        return engine;
    }

    private BlockFeed oracle(Cutting cutting, List<Path> files) throws IOException {
        for (Path file : files) {
            var key = new Known(file, cutting);
            if (!known.containsKey(key)) {
                known.put(key, lookedAt(cutting, file));
            }
        }
        return ReadingFeed.of(
                file -> {
                    List<ReadingFeed.Part> parts = known.get(new Known(file, cutting));
                    if (parts == null) {
                        throw new IOException("the oracle was not told of " + file);
                    }
                    return parts;
                },
                cores);
    }

    /** As the variant {@code CPU} does it. */
    private List<ReadingFeed.Part> lookedAt(Cutting cutting, Path file) throws IOException {
        List<Integer> lengths = new ArrayList<>();
        List<Fingerprint> digests = new ArrayList<>();
        try (BlockFeed feed = of(Variant.CPU, cutting, List.of())) {
            feed.feed(file, blocks -> {
                lengths.addAll(blocks.lengths());
                digests.addAll(blocks.digests());
            });
        }
        return ReadingFeed.together(lengths, digests);
    }

    @Override
    public void close() {
        engines.values().forEach(Shredder::close);
    }
}
