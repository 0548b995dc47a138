// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bench.ByteSize;
import io.shredder.it.bench.Machine;
import io.shredder.it.corpus.LargeText;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./run bars NAME}: measures a set of bars. Exit code 0 only if none falls short. */
@Command(
        name = "bars",
        mixinStandardHelpOptions = true,
        description =
                "Measures what the product promises: a line a bar with its figure, what is needed and the verdict.")
public final class BarsMain implements Callable<Integer> {
    private static final Map<String, BarSet> SETS = new TreeMap<>(Map.of(
            "foundation", new FoundationBars(),
            "engine", new EngineBars(),
            "incoop", new IncoopBars(),
            "backup", new BackupBars(),
            "exact", new ExactBars(),
            "many-snapshots", new ManySnapshotsBars(),
            "trust", new TrustBars()));

    @Parameters(
            paramLabel = "NAME",
            description = "which set: foundation, engine, incoop, exact, backup, many-snapshots or trust")
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
            converter = ByteSize.class,
            description =
                    "incoop: size of the text, with an optional k, m or g (default: 2,010,000,000, the bars' size)")
    private long inputBytes = LargeText.MOST_BYTES;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "backup: contenders (shredder, restic, borg, borg-fixed, kopia, desync, rustic) and operations (first,"
                            + " unchanged, changed, restore, local-restore, verify, prune) to measure, default: all of both;"
                            + " exact: jobs to run, or plain-over-uploads; default: all;"
                            + " trust: hostile, files, silent, crowd, quota; default: all")
    private List<String> only = List.of();

    @Mixin
    private final ExactChoice exact = new ExactChoice();

    @Mixin
    private final BackupChoice backup = new BackupChoice();

    public static void main(String[] args) {
        System.exit(new CommandLine(new BarsMain())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        BarSet set = SETS.get(name);
        if (set == null) {
            System.err.println("bars: no set '" + name + "'; there are: " + String.join(", ", SETS.keySet()));
            return 2;
        }
        backup.choose(only);
        exact.choose(only);
        var trust = new TrustChoice(only, exact.isBrief(), exact.seed());
        List<String> unknown =
                switch (name) {
                    case "exact" -> exact.unknown();
                    case "trust" -> trust.unknown();
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
                    inputBytes,
                    backup,
                    exact,
                    trust,
                    children);
            set.measure(measuring);
            System.out.println(Bar.closingLine(measuring.bars()));
            return measuring.bars().stream().anyMatch(Bar::failed) ? 1 : 0;
        }
    }
}
