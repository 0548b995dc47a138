// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.backup.ShredderContender;
import io.shredder.it.backup.Sources;
import io.shredder.it.corpus.Folders;
import io.shredder.it.corpus.ServerDisk;
import io.shredder.it.corpus.SimilarImages;
import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.SizeConverter;
import io.shredder.it.process.Children;
import io.shredder.it.scale.ScaleParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./run bench backup}: a backup's rate by how much of the image the agent has, and the stage that limits it. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = "Backs up images that are more or less like a master image which the agent has (figure 18 of"
                + " Shredder, FAST 2012), agent and server as processes of this machine; prints rates and what each"
                + " stage computed. With --cores, --images, --clients or --link: all operations on so many cores, images"
                + " and clients at once, and links of a rate, beside restic and rustic.",
        footer = "Without these, makes the disk of ./run bars backup first, which downloads some 700 MB once.")
final class BackupBenchCommand implements Callable<Integer> {
    private static final long QUICK_BYTES = 256L << 20;
    private static final long IMAGE_BYTES = 2L << 30;
    private static final int ROUNDS = 3;

    @Option(
            names = "--similarity",
            split = ",",
            paramLabel = "PERCENT",
            description = "expected parts of an image that are the master's (default: ${DEFAULT-VALUE})")
    private List<Double> similarities = List.of(0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0);

    @Option(
            names = "--bytes",
            converter = SizeConverter.class,
            description = "size of each image, with an optional m or g (default: 2g; of scale: 10000000000)")
    private @Nullable Long bytes;

    @Option(
            names = "--rounds",
            description = "images for each similarity, or times; medians count (default: 3; of scale: 1)")
    private @Nullable Integer rounds;

    @Option(names = "--seed", description = "of the images (default: ${DEFAULT-VALUE})")
    private long seed = 1;

    @Option(names = "--quick", description = "a look in a minute: 256 MB of a small disk, 0, 50 and 100 %%, one round")
    private boolean quick;

    @Option(
            names = "--cache",
            paramLabel = "FOLDER",
            description = "of downloads and disks (default: ${DEFAULT-VALUE})")
    private Path cache = Path.of(".tools/demo-cache");

    @Option(names = "--out", paramLabel = "FOLDER", description = "default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/bench/backup");

    @Mixin
    private final ScaleParts scale = new ScaleParts();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return scale.isAsked() ? callScale() : callSimilarity();
    }

    private int callScale() throws IOException, InterruptedException {
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            return scale.measure(Path.of("").toAbsolutePath(), bytes, rounds == null ? 1 : rounds, seed, children);
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            return 2;
        }
    }

    private int callSimilarity() throws InterruptedException {
        if (quick) {
            bytes = QUICK_BYTES;
            rounds = 1;
            similarities = List.of(0.0, 50.0, 100.0);
        }
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            var plan = new BackupBench.Plan(similarities, timesEach(), seed);
            measure(plan, children);
            System.out.println("tables, plots and rows: " + out);
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
            return 1;
        }
    }

    private void measure(BackupBench.Plan plan, Children children) throws IOException, InterruptedException {
        Path root = Path.of("").toAbsolutePath();
        Path folder = out.toAbsolutePath();
        Path work = folder.resolve("work");
        Folders.delete(work);
        Files.createDirectories(work);
        long diskBytes = quick ? ServerDisk.LEAST_BYTES : ServerDisk.BYTES;
        Path logs = Files.createDirectories(folder.resolve("logs"));
        var report = new Report(heading(root), System.out);
        Path disk =
                ServerDisk.in(cache.toAbsolutePath(), logs, children, diskBytes).first();
        SimilarImages images = SimilarImages.of(disk, work, imageBytes());
        Path image = Files.createFile(work.resolve("image"));
        Sources sources = Sources.link(work.resolve("sources"), images.master(), image);
        Path agent = Files.createDirectories(work.resolve("agent"));
        try (var contender = ShredderContender.open(root, agent, sources, children)) {
            new BackupBench(contender, images, image, new BackupBench.Place(work, children), plan, report).measure();
        }
        report.write(folder);
        Folders.delete(work);
    }

    private long imageBytes() {
        return bytes == null ? IMAGE_BYTES : bytes;
    }

    private int timesEach() {
        return rounds == null ? ROUNDS : rounds;
    }

    private String heading(Path root) throws IOException {
        return Machine.today() + ", " + Machine.description() + ", commit " + Machine.commit(root)
                + "\n\n    ./run bench backup --bytes " + imageBytes() + " --rounds " + timesEach() + " --seed " + seed
                + " --similarity "
                + String.join(",", similarities.stream().map(String::valueOf).toList())
                + "\n\nImages of segments of 1 MiB, each replaced with the same probability, read from memory; agent and"
                + " server on this machine, TLS over the loopback address, default options. Rates are of the time that"
                + " the backup itself reports, without the start of Java; medians.\n";
    }
}
