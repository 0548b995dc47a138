// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.InvalidParamsException;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.SizeConverter;
import io.shredder.it.process.Children;
import io.shredder.it.scale.HeldLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./run bench integrity}: HashGPU's and MosaStore's figures 7 to 17. */
@Command(
        name = "integrity",
        mixinStandardHelpOptions = true,
        description = "Writes files to a store with no digests, with those of the CPU, of a GPU, and of an oracle that"
                + " knows them before (HashGPU and MosaStore, figures 7 to 17): different files, the same again, a"
                + " process's checkpoints; over links of several rates; beside neighbours that compute or wait for their"
                + " disk. A client and an agent of the backup, each a process on cores of its own.")
public final class IntegrityBenchCommand implements Callable<Integer> {
    private static final String NEIGHBOURS = "neighbours";
    private static final double GIB = 1 << 30;

    @Option(names = "--quick", description = "less of everything, in about 5 minutes on two cores; else an hour")
    private boolean quick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "some of different, similar, checkpoint, neighbours; default: all")
    private List<String> only = List.of();

    @Option(
            names = "--links",
            split = ",",
            paramLabel = "GBIT",
            description = "links to the store in Gbit/s, none for no limit (default: 1,10,25,100,none; quick: 1,none)."
                    + " One that this machine can't hold is left out, with a note. Neighbours: the last one")
    private @Nullable List<String> links;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "of files (default: 1m,4m,16m,64m,256m; quick: 4m,64m)")
    private @Nullable List<Long> sizes;

    @Option(names = "--rounds", paramLabel = "N", description = "medians count (default: 3; quick: 1)")
    private @Nullable Integer rounds;

    @Option(names = "--gpu", description = "the first GPU cuts and digests, too; an error where there is none")
    private boolean gpu;

    @Option(
            names = "--digest",
            paramLabel = "NAME",
            description = "of blocks: blake3, a tree as the paper's own, or sha256 (default: ${DEFAULT-VALUE})")
    private String digest = DigestAlgorithm.BLAKE3.optionName();

    @Option(
            names = "--client-cores",
            paramLabel = "N",
            description = "that client and neighbours have; the store has the others, or shares all (default: half)")
    private @Nullable Integer clientCores;

    @Option(names = "--seed", description = "of all contents (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            description = "where files and stores are, in a folder that is removed again; best in memory, 6 GiB of it,"
                    + " 3 with --quick (default: ${DEFAULT-VALUE})")
    private Path work = Path.of("/dev/shm");

    @Option(
            names = "--native",
            paramLabel = "FOLDER",
            description = "a CMake build of shredder-native/native to take libshredder.so from (default: the jar's)")
    private @Nullable Path nativeBuild;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "of the report; the neighbour that waits writes there (default: ${DEFAULT-VALUE})")
    private Path out = Path.of("target/bench/integrity");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try {
            IntegrityPlan plan = plan();
            int cores = cores(ProcessorSet.all().count());
            if (gpu && Machine.gpus().isEmpty()) {
                err("--gpu, but nvidia-smi names no GPU on this machine");
                return CommandLine.ExitCode.USAGE;
            }
            requireRoom(plan.amounts().workBytes());
            measure(plan, cores);
            return CommandLine.ExitCode.OK;
        } catch (IllegalArgumentException e) {
            err(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (IOException e) {
            err(e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private void err(@Nullable String problem) {
        spec.commandLine().getErr().println("bench: " + problem);
    }

    private IntegrityPlan plan() {
        Set<String> unknown = new TreeSet<>(only);
        Arrays.stream(Workload.values()).forEach(workload -> unknown.remove(workload.word()));
        unknown.remove(NEIGHBOURS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("--only has no part " + String.join(", ", unknown)
                    + ": use different, similar, checkpoint or neighbours");
        }
        Amounts amounts = quick ? Amounts.quick() : Amounts.usual();
        amounts = sizes == null ? amounts : amounts.withSizes(sizes);
        amounts = rounds == null ? amounts : amounts.withRounds(rounds);
        var workloads = EnumSet.allOf(Workload.class);
        workloads.removeIf(workload -> !only.isEmpty() && !only.contains(workload.word()));
        List<String> rates = quick ? List.of("1", "none") : List.of("1", "10", "25", "100", "none");
        return new IntegrityPlan(
                amounts,
                (links == null ? rates : links).stream().map(LinkRate::parse).toList(),
                workloads,
                only.isEmpty() || only.contains(NEIGHBOURS),
                gpu,
                digest(),
                seed);
    }

    private DigestAlgorithm digest() {
        try {
            return DigestAlgorithm.parse(digest);
        } catch (InvalidParamsException e) {
            throw new IllegalArgumentException("--digest: " + e.getMessage(), e);
        }
    }

    private int cores(int all) {
        if (clientCores == null) {
            return Math.max(1, all / 2);
        }
        if (clientCores < 1 || clientCores > all) {
            throw new IllegalArgumentException(
                    "--client-cores is " + clientCores + ": this program may use " + all + ", give 1 to " + all);
        }
        return clientCores;
    }

    private void requireRoom(long bytes) throws IOException {
        if (!Files.isDirectory(work)) {
            throw new IllegalArgumentException("--work " + work + " is not a folder: name one that is there");
        }
        long free = Files.getFileStore(work).getUsableSpace();
        if (free < bytes) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "--work %s has %.1f GiB free, %.1f are needed: name another folder, or give less --sizes",
                    work,
                    free / GIB,
                    bytes / GIB));
        }
    }

    private void measure(IntegrityPlan plan, int cores) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(work, "bench-integrity-");
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(children, folder), "bench-stop"));
            List<String> library = nativeBuild == null
                    ? List.of()
                    : List.of("-Dshredder.library.path="
                            + nativeBuild.toAbsolutePath().resolve("libshredder.so"));
            var lab = new IntegrityLab(new IntegrityLab.Place(folder, library, children), cores);
            var report = new Report(heading(lab), System.out);
            measure(plan, lab, report);
            report.write(out.toAbsolutePath());
        } finally {
            Folders.delete(folder);
        }
        System.out.println("tables, plots and rows: " + out);
    }

    /** Nothing is left behind, however this program ends. */
    private static void stop(Children children, Path folder) {
        children.close();
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            System.err.println("bench: can't remove " + folder + ": " + e.getMessage());
        }
    }

    private void measure(IntegrityPlan plan, IntegrityLab lab, Report report) throws IOException, InterruptedException {
        var writes = new WriteFigures(lab, plan, report);
        var checkpoints = new CheckpointFigures(lab, plan, report);
        Path disk = out.toAbsolutePath().resolve("neighbour");
        var neighbours = new NeighbourFigures(lab, plan, report, disk);
        LinkRate last = null;
        for (LinkRate rate : plan.links()) {
            Optional<HeldLink> link = link(lab, rate, report);
            if (rate.isLimited() && link.isEmpty()) {
                continue;
            }
            try {
                writes.measure(rate, link);
                if (plan.workloads().contains(Workload.CHECKPOINT)) {
                    checkpoints.measure(rate, link);
                }
            } finally {
                link.ifPresent(HeldLink::close);
            }
            last = rate;
        }
        if (plan.neighbours() && last != null) {
            Optional<HeldLink> link = lab.link(last);
            try {
                neighbours.measure(last, link);
            } finally {
                link.ifPresent(HeldLink::close);
            }
        }
    }

    private static Optional<HeldLink> link(IntegrityLab lab, LinkRate rate, Report report) throws InterruptedException {
        try {
            return lab.link(rate);
        } catch (IOException e) {
            report.note(Report.NOT_HERE + "a link of " + rate.title() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    private String heading(IntegrityLab lab) throws IOException {
        List<String> words = spec.commandLine().getParseResult().originalArgs();
        return Machine.today() + ", " + Machine.description() + ", commit "
                + Machine.commit(Path.of("").toAbsolutePath()) + "\n\n    ./run "
                + String.join(" ", words) + "\n\n" + lab.division() + "; digests " + digest + "; files and store in "
                + work + ". A neighbour " + Neighbour.COMPUTES.deed() + ", or " + Neighbour.WAITS.deed() + ".\n";
    }
}
