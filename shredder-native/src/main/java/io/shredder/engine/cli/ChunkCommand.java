// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ChunkSink;
import io.shredder.engine.InvalidOptionException;
import io.shredder.engine.Scheduling;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shredder chunk FILE...}: a line a chunk on standard output, a summary a file on standard error. */
@Command(
        name = "chunk",
        description = {
            "Cuts files into chunks. Prints offset, length and digest of each, separated by tabs;",
            "with several files the file's name as well."
        },
        mixinStandardHelpOptions = true)
final class ChunkCommand implements Callable<Integer> {

    private static final Path STANDARD_INPUT = Path.of("-");

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files, pipes or block devices; - is standard input.")
    private List<Path> files = List.of();

    @Option(
            names = {"-avg", "--avg"},
            paramLabel = "SIZE",
            converter = SizeOption.Converter.class,
            defaultValue = "64k",
            description = "Average chunk, a power of two (default: ${DEFAULT-VALUE}).")
    private SizeOption average = new SizeOption(0);

    @Option(
            names = {"-min", "--min"},
            paramLabel = "SIZE",
            converter = SizeOption.Converter.class,
            description = "Shortest chunk (default: a quarter of the average).")
    private @Nullable SizeOption min;

    @Option(
            names = {"-max", "--max"},
            paramLabel = "SIZE",
            converter = SizeOption.Converter.class,
            description = "Longest chunk (default: four times the average).")
    private @Nullable SizeOption max;

    @Option(
            names = {"-backend", "--backend"},
            paramLabel = "NAME",
            defaultValue = "auto",
            description = {
                "auto, cpu, scalar, avx2, avx512 or cuda (default: ${DEFAULT-VALUE}); or several devices, such as",
                "cuda,cpu or cuda:0,cpu*4: every GPU or one, CPU forms with a number of threads if not all;",
                "worker:SOCKET is another process ('shredder worker')."
            })
    private String backend = "auto";

    @Option(
            names = "--scheduling",
            paramLabel = "NAME",
            description = {
                "How several devices share the buffers: shortest-queue, round-robin, lafs, least-work or two-choices",
                "(default: least-work if --backend names several, else shortest-queue)."
            })
    private @Nullable String scheduling;

    @Option(
            names = "--digest",
            paramLabel = "NAME",
            defaultValue = "sha256",
            description = "sha256 or blake3 (default: ${DEFAULT-VALUE}).")
    private String digest = "sha256";

    @Option(
            names = "--reader-threads",
            paramLabel = "N",
            description = "Threads that read a file side by side (default: 8, or all cores if they are fewer).")
    private int readerThreads;

    @Option(names = "--direct", description = "Read files past the page cache (O_DIRECT).")
    private boolean direct;

    @Option(names = "--json", description = "Print each chunk as a JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        ChunkingParams params = params();
        try (Shredder engine = Shredder.open(options());
                ChunkPrinter printer = new ChunkPrinter(json, params.digest(), files.size() > 1)) {
            for (Path file : files) {
                chunk(engine, params, file, printer);
            }
        }
        return 0;
    }

    /** From where it stands, if it is a file. */
    private FileChannel standardInput() {
        if (direct) {
            throw new InvalidOptionException(
                    "standard input can't be read directly: leave --direct out or name a file");
        }
        return new FileInputStream(FileDescriptor.in).getChannel();
    }

    private ShredderOptions options() {
        ShredderOptions.Builder builder = ShredderOptions.builder()
                .on(ShredderOptions.Devices.parse(backend))
                .readerThreads(readerThreads)
                .directReads(direct);
        if (scheduling != null) {
            builder.scheduling(Scheduling.parse(scheduling));
        }
        return builder.build();
    }

    private ChunkingParams params() {
        ChunkingParams.Builder builder =
                ChunkingParams.builder().averageBytes(average.bytes()).digest(DigestAlgorithm.parse(digest));
        if (min != null) {
            builder.minBytes(min.bytes());
        }
        if (max != null) {
            builder.maxBytes(max.bytes());
        }
        return builder.build();
    }

    private void chunk(Shredder engine, ChunkingParams params, Path file, ChunkPrinter printer) throws IOException {
        Progress progress = new Progress(file, Files.isRegularFile(file) ? Files.size(file) : 0);
        ChunkSink sink = batch -> {
            printer.print(file, batch);
            progress.add(batch);
            progress.show();
        };
        if (file.equals(STANDARD_INPUT)) {
            engine.chunk(standardInput(), params, true, sink);
        } else {
            engine.chunkFile(file, params, true, sink);
        }
        printer.flush();
        progress.clear();
        System.err.printf(
                Locale.ROOT,
                "%s: %d chunks, %s, average %s, %s/s on %s%n",
                file,
                progress.chunks(),
                SizeOption.format(progress.bytes()),
                SizeOption.format(progress.averageBytes()),
                SizeOption.format(progress.bytesPerSecond()),
                engine.backendName());
    }
}
