// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.care.CareBars;
import io.shredder.it.corpus.LargeText;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.figures.SizeConverter;
import io.shredder.it.open.OpenBars;
import io.shredder.it.open.OpenChoice;
import io.shredder.it.process.Children;
import io.shredder.it.scale.ScaleOptions;
import io.shredder.it.store.StoreBars;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./run bars NAME}: measures a set of bars. Exit code 0 only if none falls short. */
@Command(
        name = "bars",
        mixinStandardHelpOptions = true,
        description =
                "Measures what the product promises: a line a bar with its figure, what is needed and the verdict.",
        footerHeading = "%nNAME is one of:%n",
        footer = {
            "  foundation      the demo, all tests, golden vectors, every backend, all checks",
            "  engine          the engine beside the limits of this machine",
            "  coding          the erasure coder beside others'",
            "  incoop          uploads into HDFS and incremental jobs, on a cluster",
            "  exact           jobs plainly and incrementally, results compared",
            "  backup          a server's disk, beside other programs",
            "  care            the daemon: its console with 1,000 images, a flood, a year, alerts, packages",
            "  many-snapshots  100,000 snapshots in 1,000 series",
            "  open            backups opened without a restore: exports, files, machines that start, restore --live",
            "  pools           many devices in one engine, many nodes, and what a scan of HDFS reports",
            "  scale           backups on 2 and on 16 cores, 16 images and 64 clients at once",
            "  store           a store in an object store: contract, locks, lost requests, kills, speed",
            "  trust           hostile clients, lost files, silent peers, crowds, quotas",
            "  house           packages, pages, and how long build and tests took here"
        })
public final class BarsCommand implements Callable<Integer> {
    /** Only the one that is asked for is made, so that what the others need may be missing. */
    private static final Map<String, Supplier<BarSet>> SETS = new TreeMap<>(Map.ofEntries(
            Map.entry("backup", BackupBars::new),
            Map.entry("care", () -> BarsCommand::care),
            Map.entry("coding", CodingBars::new),
            Map.entry("engine", EngineBars::new),
            Map.entry("exact", ExactBars::new),
            Map.entry("foundation", FoundationBars::new),
            Map.entry("house", HouseBars::new),
            Map.entry("incoop", () -> BarsCommand::incoop),
            Map.entry("many-snapshots", ManySnapshotsBars::new),
            Map.entry("open", () -> BarsCommand::open),
            Map.entry("pools", PoolBars::new),
            Map.entry("scale", ScaleBars::new),
            Map.entry("store", () -> BarsCommand::store),
            Map.entry("trust", TrustBars::new)));

    @Parameters(paramLabel = "NAME", description = "which set, see below")
    private String name;

    @Option(names = "--gpu", description = "measure also what needs a GPU")
    private boolean gpu;

    @Option(
            names = "--native",
            paramLabel = "FOLDER",
            description = "a CMake build of shredder-native/native (default: ${DEFAULT-VALUE})")
    private Path nativeBuild = Path.of("shredder-native/target/native");

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "incoop: size of the text, scale, store: of the image, with an optional k, m or g (default:"
                    + " 2,010,000,000, 10,000,000,000 and 4,000,000,000, the bars' sizes)")
    private @Nullable Long inputBytes;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "backup: contenders (shredder, restic, borg, borg-fixed, kopia, desync, rustic) and operations (first,"
                            + " unchanged, changed, restore, local-restore, verify, prune) to measure, default: all of both;"
                            + " exact: jobs to run, or plain-over-uploads; default: all;"
                            + " trust: hostile, files, silent, crowd, quota, unchanged, sparse, marking; default: all;"
                            + " scale: operations, images, clients, limits; default: all;"
                            + " coding: hadoop, hdfs, dispersal, identity, kernels; default: all;"
                            + " care: console, flood, scan, year, alerts, packages; default: all;"
                            + " store: tests, kills, speed; default: all;"
                            + " open: exports, files, fuzz, boot, live; default: all;"
                            + " pools: engine, nodes, scan, file; default: all")
    private List<String> only = List.of();

    @Mixin
    private final ExactChoice exact = new ExactChoice();

    @Mixin
    private final BackupChoice backup = new BackupChoice();

    @Mixin
    private final ScaleOptions scale = new ScaleOptions();

    @Mixin
    private final OpenChoice open = new OpenChoice();

    /** As {@code NAME} takes them. */
    static Set<String> names() {
        return SETS.keySet();
    }

    /**
     * Inc-HDFS and incremental MapReduce against plain Hadoop on the same daemons of this machine. All figures are of
     * the clock on the wall: measure on a quiet machine.
     */
    private static void incoop(Measuring measuring) throws IOException, InterruptedException {
        System.out.println(Machine.description());
        new UploadBars(measuring).measure();
        new JobBars(measuring).measure();
        new ProofBars(measuring).measure();
    }

    private static void care(Measuring measuring) throws IOException, InterruptedException {
        CareBars.measure(measuring.root(), measuring.children(), measuring::has, measuring::record);
    }

    private static void store(Measuring measuring) throws IOException, InterruptedException {
        StoreBars.measure(
                measuring.root(),
                measuring.children(),
                measuring::has,
                new StoreBars.Extent(
                        measuring.exact().isBrief(), measuring.exact().seed(), measuring.inputBytes()),
                measuring::record);
    }

    private static void open(Measuring measuring) throws IOException, InterruptedException {
        new OpenBars(measuring.root(), measuring.open(), measuring.children(), measuring::record)
                .measure(
                        measuring::has,
                        measuring.backup().rounds(),
                        measuring.exact().seed());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Supplier<BarSet> set = SETS.get(name);
        if (set == null) {
            System.err.println("bars: no set '" + name + "'; there are: " + String.join(", ", SETS.keySet()));
            return 2;
        }
        backup.choose(only);
        exact.choose(only);
        var trust = new TrustChoice(only, exact.isBrief(), exact.seed());
        var sizes = new ScaleChoice(only, exact.isBrief(), inputBytes, backup.rounds(), exact.seed(), scale);
        List<String> unknown =
                switch (name) {
                    case "exact" -> exact.unknown();
                    case "trust" -> trust.unknown();
                    case "scale" -> sizes.unknown();
                    case "pools" -> beside(PoolBars.PARTS);
                    case "open" -> beside(OpenChoice.PARTS);
                    case "coding" -> beside(CodingBars.PARTS);
                    case "care" -> beside(CareBars.PARTS);
                    case "store" -> beside(StoreBars.PARTS);
                    default -> backup.unknown();
                };
        if (!unknown.isEmpty()) {
            System.err.println("bars: --only has no " + String.join(", ", unknown) + "; see --help");
            return 2;
        }
        if (gpu && Machine.gpus().isEmpty()) {
            System.err.println("bars: --gpu, but nvidia-smi names no GPU on this machine");
            return 2;
        }
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bars-stop"));
            var measuring = new Measuring(
                    Path.of("").toAbsolutePath(),
                    nativeBuild.toAbsolutePath(),
                    gpu,
                    inputBytes == null ? usualBytes() : inputBytes,
                    new Measuring.Choices(backup, exact, trust, sizes, open, only),
                    children);
            set.get().measure(measuring);
            System.out.println(Bar.closingLine(measuring.bars()));
            return measuring.bars().stream().anyMatch(Bar::failed) ? 1 : 0;
        }
    }

    private long usualBytes() {
        return name.equals("store") ? StoreBars.IMAGE_BYTES : LargeText.MOST_BYTES;
    }

    /** Words of {@code --only} that name none of these parts. */
    private List<String> beside(List<String> parts) {
        return only.stream().filter(word -> !parts.contains(word)).toList();
    }
}
