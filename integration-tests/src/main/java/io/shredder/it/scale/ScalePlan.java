// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.scale.ScaleRow.Part;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What to measure.
 *
 * @param parts of the bench
 * @param cores how many, each in turn
 * @param images at once, each in turn, of all cores of the largest number
 * @param clients at once, likewise
 * @param links rates in 10^9 bits a second, likewise
 * @param contenders names: ours and peers'
 * @param backends of our backups: {@code auto}, {@code cpu}, {@code cuda}
 * @param from folders that images are made of
 * @param bytes of an image
 * @param clientSeconds how long clients put
 * @param rounds how often; medians count
 * @param seed of the images
 */
public record ScalePlan(
        Set<Part> parts,
        List<Integer> cores,
        List<Integer> images,
        List<Integer> clients,
        List<Double> links,
        List<String> contenders,
        List<String> backends,
        List<Path> from,
        long bytes,
        double clientSeconds,
        int rounds,
        long seed) {
    /** The length of an image that the bars are for. */
    public static final long BAR_BYTES = 10_000_000_000L;

    public ScalePlan {
        parts = Set.copyOf(parts);
        cores = List.copyOf(cores);
        images = List.copyOf(images);
        clients = List.copyOf(clients);
        links = List.copyOf(links);
        contenders = List.copyOf(contenders);
        backends = List.copyOf(backends);
        from = List.copyOf(from);
        if (cores.isEmpty()) {
            throw new IllegalArgumentException("--cores names none");
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + ": give 1 or more");
        }
    }

    /** The largest number of cores. */
    public int mostCores() {
        return cores.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }
}
