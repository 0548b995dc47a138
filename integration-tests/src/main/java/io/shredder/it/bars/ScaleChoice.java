// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.ShredderContender;
import io.shredder.it.scale.ScaleOptions;
import io.shredder.it.scale.ScalePlan;
import io.shredder.it.scale.ScaleRow.Part;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What of the bars of scale to measure, and on what.
 *
 * @param only parts; none means all
 * @param brief a small image and few clients, for a machine of two cores: nothing of it is judged
 * @param bytes of an image; null for the bars' size
 * @param rounds how often; medians count
 * @param seed of the images
 * @param options where, and for how long
 */
record ScaleChoice(
        List<String> only, boolean brief, @Nullable Long bytes, int rounds, long seed, ScaleOptions options) {
    private static final long BRIEF_BYTES = 256L << 20;
    private static final int FEW_CORES = 2;

    /** The parts that have bars. */
    private static final Set<Part> PARTS = EnumSet.complementOf(EnumSet.of(Part.LINK));

    private static final List<String> PEERS = List.of("restic", "rustic");

    private static String title(Part part) {
        return part.name().toLowerCase(Locale.ROOT);
    }

    /** Names that are none of a part. */
    List<String> unknown() {
        List<String> known = PARTS.stream().map(ScaleChoice::title).toList();
        return only.stream().filter(name -> !known.contains(name)).toList();
    }

    private Set<Part> parts() {
        Set<Part> chosen = EnumSet.noneOf(Part.class);
        PARTS.stream()
                .filter(part -> only.isEmpty() || only.contains(title(part)))
                .forEach(chosen::add);
        return chosen;
    }

    /**
     * What is measured: on two cores, and on as many as the bars are for or the machine has.
     *
     * @param machine how many cores that are
     */
    ScalePlan plan(int machine) {
        int most = Math.min(machine, ScaleVerdicts.CORES);
        var cores = new TreeSet<>(Arrays.asList(Math.min(FEW_CORES, machine), most));
        long ofImage = bytes != null ? bytes : brief ? BRIEF_BYTES : ScalePlan.BAR_BYTES;
        return new ScalePlan(
                parts(),
                List.copyOf(cores),
                List.of(brief ? 2 : ScaleVerdicts.IMAGES),
                brief ? List.of(2, 4) : List.of(ScaleVerdicts.FEW_CLIENTS, ScaleVerdicts.CLIENTS),
                List.of(),
                List.of(ShredderContender.NAME, PEERS.get(0), PEERS.get(1)),
                List.of("auto"),
                options.from(),
                ofImage,
                brief ? 3 : 10,
                rounds,
                seed);
    }
}
