// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.Command;
import io.shredder.it.scale.ScaleRow.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What the machine gives, by {@link MachineLimits} on so many cores. */
final class LimitsUnit implements ScaleUnit {
    /** Reading memory. */
    static final String MEMORY = "memory";
    /** Writing a file where restores write theirs. */
    static final String TARGET = "target";
    /** Reading a file where the repository's are. */
    static final String DISK = "disk";
    /** Compressing and sealing the image, and nothing else. */
    static final String SEALING = "sealing";
    /** Digesting it. */
    static final String DIGESTING = "digesting";

    private final ScalePlace place;
    private final ScaleImages images;
    private final int cores;
    private final int round;

    LimitsUnit(ScalePlace place, ScaleImages images, int cores, int round) {
        this.place = place;
        this.images = images;
        this.cores = cores;
        this.round = round;
    }

    @Override
    public String id() {
        return String.format(Locale.ROOT, "limits, %d cores, %d bytes, round %d", cores, images.bytes(), round);
    }

    @Override
    public double usualSeconds() {
        return 5 + 15 * images.bytes() / (1e9 * Math.min(cores, 8));
    }

    @Override
    public List<ScaleRow> measure() throws IOException, InterruptedException {
        Path folder = place.work().resolve("limits");
        Folders.delete(folder);
        Files.createDirectories(folder);
        try {
            List<String> java = OwnProgram.words(
                    MachineLimits.class,
                    List.of("-Xmx512m"),
                    List.of(images.first().toString(), folder.resolve("target").toString()));
            List<String> words = Stream.concat(ProcessorSet.all().first(cores).prefix().stream(), java.stream())
                    .toList();
            Path log = folder.resolve("limits.log");
            place.children().run(new Command("limits", words, Map.of(), folder, log));
            JsonNode seen = new ObjectMapper().readTree(Files.readString(log));
            var rows = new ArrayList<ScaleRow>();
            for (String what : List.of(MEMORY, TARGET, DISK, SEALING, DIGESTING)) {
                rows.add(new ScaleRow(
                        id(),
                        Part.LIMITS,
                        "machine",
                        what,
                        cores,
                        1,
                        0,
                        images.bytes(),
                        images.bytes() / seen.required(what).asDouble(),
                        Map.of(),
                        "",
                        place.at()));
            }
            return rows;
        } finally {
            Folders.delete(folder);
        }
    }
}
