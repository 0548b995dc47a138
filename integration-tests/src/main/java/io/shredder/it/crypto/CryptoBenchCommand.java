// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.crypto;

import io.shredder.backup.agent.index.BulkSealing;
import io.shredder.it.agent.IndexBench;
import io.shredder.it.device.DeviceAesGcm;
import io.shredder.it.figures.CountConverter;
import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.process.Children;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./run bench crypto}: Kirby's thesis with today's ciphers, cores and GPUs. */
@Command(
        name = "crypto",
        mixinStandardHelpOptions = true,
        description =
                "Checksums and ciphers by size and number of blocks, on one core, on all, and on a GPU; the agent's"
                        + " index without encryption, and with it on the CPU and on a GPU; with --gpu also chunking,"
                        + " digests and encryption of data that lies on it.")
public final class CryptoBenchCommand implements Callable<Integer> {
    private static final List<String> PARTS = List.of("ciphers", "index", "resident");
    private static final Set<String> INDEXES = Set.of("sealed", "log-sealed", "runs-sealed", "clear");
    private static final String ON_GPU = "gpu-";

    @Option(names = "--gpu", description = "the first GPU beside the CPU; an error where there is none")
    private boolean gpu;

    @Option(names = "--quick", description = "16 MiB at most in place of 128, and fewer entries")
    private boolean quick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "some of ciphers, index, resident (with --gpu); default: all")
    private List<String> only = List.of();

    @Option(
            names = "--entries",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "in each index, with an optional k or m (default: 1m; with --quick 200k)")
    private @Nullable Long entries;

    @Option(
            names = "--native",
            paramLabel = "FOLDER",
            description = "a CMake build of shredder-native/native (default: ${DEFAULT-VALUE})")
    private Path nativeBuild = Path.of("shredder-native/target/native");

    @Option(names = "--out", paramLabel = "FOLDER", description = "default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/bench/crypto");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!PARTS.containsAll(only)) {
            throw new ParameterException(
                    spec.commandLine(), "--only " + String.join(",", only) + ": there are " + String.join(", ", PARTS));
        }
        if (only.contains("resident") && !gpu) {
            throw new ParameterException(spec.commandLine(), "--only resident: it is of a GPU: add --gpu");
        }
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            var programs = new NativePrograms(
                    nativeBuild.toAbsolutePath(), out.toAbsolutePath().resolve("logs"), children);
            var report = new Report(
                    Machine.today() + ", " + Machine.description() + ", commit "
                            + Machine.commit(Path.of("").toAbsolutePath()) + "\n\n    ./run bench crypto"
                            + (gpu ? " --gpu" : "") + (quick ? " --quick" : "") + "\n",
                    System.out);
            if (wants("ciphers")) {
                ciphers(programs, report);
            }
            if (wants("index")) {
                index(report);
            }
            if (gpu && wants("resident")) {
                resident(programs, report);
            }
            report.write(out.toAbsolutePath());
        }
        System.out.println("tables, plots and rows: " + out);
        return 0;
    }

    private boolean wants(String part) {
        return only.isEmpty() || only.contains(part);
    }

    private void ciphers(NativePrograms programs, Report report) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("--rounds", "3"));
        if (quick) {
            words.addAll(List.of("--most", "16M", "--blocks", "512,64K"));
        }
        if (gpu) {
            words.add("--gpu");
        }
        List<Row> rows =
                programs.run("ciphers", Map.of(), "shredder_crypto", words).rows();
        new CipherFigures(rows, gpu).addTo(report);
    }

    private void index(Report report) throws IOException {
        long count = entries != null ? entries : quick ? 200_000 : 1_000_000;
        Files.createDirectories(Path.of("target"));
        report.add(new IndexBench(count, 1, INDEXES, null).measure());
        if (gpu) {
            try (var device = new DeviceAesGcm(nativeBuild.resolve("aes_gcm.ptx"), BulkSealing.capacity())) {
                BulkSealing.prove(device::cipher);
                Set<String> subjects = Set.copyOf(INDEXES.stream()
                        .filter(name -> name.endsWith("sealed"))
                        .map(ON_GPU::concat)
                        .toList());
                report.add(new IndexBench(count, 1, subjects, device).measure());
            }
        }
    }

    /** What the kernels alone do with data that is on the GPU. */
    private static void resident(NativePrograms programs, Report report) throws IOException, InterruptedException {
        List<Row> rows = programs.run("resident", Map.of(), "shredder_kernels", List.of())
                .rows();
        report.keep("resident", rows);
        List<List<String>> lines = new ArrayList<>();
        for (Row row : rows) {
            if (row.name().startsWith("scan_select") || row.name().equals("read")) {
                String average = row.number("average") == 0
                        ? ""
                        : String.format(Locale.ROOT, "%.0f KiB", row.number("average") / 1024);
                lines.add(List.of(row.name().replace('_', ' '), average, Table.cell(row.rate())));
            }
        }
        report.add(new Table(
                "Data on the GPU, results in the host's memory: GB/s", List.of("what", "chunks", "GB/s"), lines));
    }
}
