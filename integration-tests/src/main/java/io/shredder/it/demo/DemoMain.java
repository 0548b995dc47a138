// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Checkout;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run demo}: shows the whole product on real input and judges it. Exit code 0 only if every bar holds. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Uploads two versions of a text to HDFS, counts its words incrementally on YARN, backs up and restores"
                        + " two versions of a disk image, and prints what was saved on one page.")
public final class DemoMain implements Callable<Integer> {
    /** Where the report lies, below the checkout. */
    public static final String REPORT = "target/demo/demo-report.json";

    @Option(names = "--keep", description = "keep the work folder, target/demo/work, with the daemons' data and logs")
    private boolean keep;

    @Option(names = "--build-seconds", hidden = true, description = "what the build before took, for the report")
    private double buildSeconds;

    private final AtomicBoolean stopping = new AtomicBoolean();

    public static void main(String[] args) {
        System.exit(new CommandLine(new DemoMain()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path root = Path.of("").toAbsolutePath();
        Path out = Files.createDirectories(root.resolve("target").resolve("demo"));
        var folders = new DemoFolders(root, root.resolve(".tools").resolve("demo-cache"), out, keep);
        Files.createDirectories(folders.cache());
        try (var lockFile = FileChannel.open(out.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = lockFile.tryLock()) {
            if (lock == null) {
                System.err.println("demo: another demo runs in this checkout; wait for its end");
                return 1;
            }
            return runLocked(folders);
        }
    }

    private int runLocked(DemoFolders folders) throws IOException, InterruptedException {
        Folders.delete(folders.work());
        Folders.delete(folders.logs());
        Files.createDirectories(folders.work());
        Files.createDirectories(folders.logs());
        long startNs = System.nanoTime();
        var steps = new Steps(System.out);
        try (var demo = new Demo(folders, steps)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(demo), "demo-stop"));
            DemoFigures figures = demo.run();
            DemoReport report = report(folders, figures, (System.nanoTime() - startNs) / 1e9 + buildSeconds);
            publish(folders.out(), report);
            return report.bars().stream().anyMatch(Bar::failed) ? 1 : 0;
        } catch (IOException e) {
            if (!stopping.get()) {
                System.out.println();
                System.err.println("demo: " + e.getMessage());
            }
            return 1;
        }
    }

    private void stop(Demo demo) {
        if (stopping.compareAndSet(false, true)) {
            demo.close();
        }
    }

    private DemoReport report(DemoFolders folders, DemoFigures figures, double totalSeconds) throws IOException {
        return new DemoReport(
                Checkout.commit(folders.root()),
                Checkout.machine(),
                buildSeconds,
                figures.inputSeconds(),
                totalSeconds,
                figures.uploads(),
                figures.shared(),
                figures.jobs(),
                figures.backups(),
                figures.restores(),
                figures.bars(totalSeconds));
    }

    private static void publish(Path out, DemoReport report) throws IOException {
        String page = DemoPage.of(report);
        report.write(out.resolve("demo-report.json"));
        Files.writeString(out.resolve("demo-report.txt"), page);
        System.out.print(page);
        System.out.println("report: target/demo/demo-report.json and .txt");
    }
}
