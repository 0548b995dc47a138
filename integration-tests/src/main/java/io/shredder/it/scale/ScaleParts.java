// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.process.Children;
import io.shredder.it.scale.ScaleRow.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./run bench backup --cores ...}: which parts of the bench, by the options that were given. */
public final class ScaleParts {
    private static final int UNITS_LEFT = 3;

    @Option(
            names = "--cores",
            split = ",",
            paramLabel = "N",
            description = "all operations on so many cores each, both sides together, beside peers, and what the"
                    + " machine's memory and disk give; the largest number is that of the other parts (default: all)")
    private List<Integer> cores = new ArrayList<>();

    @Option(
            names = "--images",
            split = ",",
            paramLabel = "N",
            description = "the first backup of so many images at once, by one job to one agent")
    private List<Integer> images = new ArrayList<>();

    @Option(
            names = "--clients",
            split = ",",
            paramLabel = "N",
            description = "so many clients of one agent at once, that put what nobody has")
    private List<Integer> clients = new ArrayList<>();

    @Option(
            names = "--link",
            split = ",",
            paramLabel = "GBIT",
            description = "the operations over a link held to so many 10^9 bits a second")
    private List<Double> links = new ArrayList<>();

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "scale: of the parts that were asked for, only these: operations, limits, images, clients, link")
    private List<String> only = List.of();

    @Option(
            names = "--contenders",
            split = ",",
            paramLabel = "NAME",
            description = "scale: whose operations: shredder, restic, rustic, borg, kopia (default: ${DEFAULT-VALUE})")
    private List<String> contenders = List.of("shredder", "restic", "rustic");

    @Option(
            names = "--backends",
            split = ",",
            paramLabel = "NAME",
            description = "scale: of our backups: auto, cpu, cuda (default: ${DEFAULT-VALUE})")
    private List<String> backends = List.of("auto");

    @Option(names = "--client-seconds", description = "scale: how long clients put (default: ${DEFAULT-VALUE})")
    private double clientSeconds = 10;

    @Option(
            names = "--peers",
            paramLabel = "FOLDER",
            description = "scale: where tools/peers/backup.sh has built other programs (default: ${DEFAULT-VALUE})")
    private Path peers = Path.of(".tools/backup-peers");

    @Mixin
    private final ScaleOptions options = new ScaleOptions();

    /** Whether this bench is meant, and not the one by similarity. */
    public boolean isAsked() {
        return options.isReport() || !(cores.isEmpty() && images.isEmpty() && clients.isEmpty() && links.isEmpty());
    }

    /**
     * Measures what was asked for and prints the tables of all that the results have.
     *
     * @param bytes of an image; null for the bars' size
     * @return exit code: 0, or 3 if units are left for another call, or 1 if some of ours could not be measured
     */
    public int measure(Path root, @Nullable Long bytes, int rounds, long seed, Children children)
            throws IOException, InterruptedException {
        ScaleResults results = options.results();
        int code = 0;
        if (!options.isReport()) {
            ScalePlan plan = plan(bytes == null ? ScalePlan.BAR_BYTES : bytes, rounds, seed);
            ScaleRun.Ended ended =
                    new ScaleRun(options.place(root, peers, children), plan, results, options.budget()).measure();
            ended.failures()
                    .forEach(failure -> System.out.println("not measured: " + failure.unit() + ": " + failure.why()));
            if (ended.left() > 0) {
                System.out.println(ended.left() + " units are left: call again");
                code = UNITS_LEFT;
            }
            if (ended.failures().stream().anyMatch(ScaleRun.Failure::isOurs)) {
                code = 1;
            }
        }
        String tables = new ScaleReport(results.rows()).markdown();
        System.out.println(tables);
        System.out.println("tables: " + options.keep(tables));
        return code;
    }

    private ScalePlan plan(long bytes, int rounds, long seed) throws IOException {
        Set<Part> parts = EnumSet.noneOf(Part.class);
        if (!cores.isEmpty()) {
            parts.addAll(List.of(Part.OPERATIONS, Part.LIMITS));
        }
        if (!images.isEmpty()) {
            parts.add(Part.IMAGES);
        }
        if (!clients.isEmpty()) {
            parts.add(Part.CLIENTS);
        }
        if (!links.isEmpty()) {
            parts.add(Part.LINK);
        }
        if (!only.isEmpty()) {
            parts.removeIf(part -> !only.contains(part.name().toLowerCase(Locale.ROOT)));
        }
        List<Integer> counts = cores.isEmpty() ? List.of(ProcessorSet.all().count()) : cores;
        return new ScalePlan(
                parts,
                counts,
                images,
                clients,
                links,
                contenders,
                backends,
                options.from(),
                bytes,
                clientSeconds,
                rounds,
                seed);
    }
}
