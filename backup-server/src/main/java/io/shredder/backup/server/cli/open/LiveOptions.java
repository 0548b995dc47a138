// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.live.LiveRestore;
import io.shredder.backup.server.live.LiveState;
import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.nbd.SnapshotVolume;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.text.SnapshotText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a restore that is used while it goes on, and how it goes. */
public final class LiveOptions {

    @Option(
            names = "--live",
            description = {
                "Serve the image at once as a block device (NBD) that can be written, and restore behind that: to a file"
                        + " that gets its name when it is whole. Killed or out of power, the same command goes on.",
                "Runs until Ctrl-C or --once. The options below are for --live."
            })
    private boolean live;

    @Mixin
    private ExportOptions export = new ExportOptions();

    @Option(names = "--once", description = "End when the target is whole and the last client has left.")
    private boolean once;

    @Option(
            names = "--fill-rate",
            paramLabel = "SIZE",
            description = "Restore at most so much a second behind what is used (default: whatever is left over).")
    private @Nullable ByteSize fillRate;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            description = "Wait so long for an agent that is away, such as 30s or 10m (default: 2m); then reads of what"
                    + " isn't there fail until it is back.")
    private @Nullable String patience;

    /** Whether it is such a restore. */
    public boolean areAsked() {
        return live;
    }

    /** What is wrong with them as they are given together. */
    public Optional<String> error() {
        boolean areGiven = export.areGiven() || once || fillRate != null || patience != null;
        return !live && areGiven
                ? Optional.of("--socket, --listen, --once, --fill-rate and --patience are for --live")
                : export.error();
    }

    /**
     * Serves and restores until it is told to end.
     *
     * @param asked the snapshot; without an id that with which the target was begun, or the latest
     * @return the exit code
     */
    public int run(OpenOptions.Place place, SnapshotChoice asked, Path target, Cores cores, boolean acceptSkipped)
            throws IOException {
        ReaderOptions options = options(cores);
        AtEnd end = new AtEnd();
        try (OpenOptions.Opened opened = OpenOptions.open(place, choice(asked, target), options, acceptSkipped);
                LiveRestore restore = LiveRestore.open(
                        target,
                        new SnapshotVolume(opened.reader()),
                        opened.proved().info(),
                        new LiveRestore.Fill(
                                fillRate == null ? 0 : fillRate.bytes(), line -> Warnings.print(List.of(line))))) {
            return serve(opened, restore, target, end);
        } finally {
            end.through();
        }
    }

    private ReaderOptions options(Cores cores) throws IOException {
        try {
            return new ReaderOptions(
                    ReaderOptions.USUAL_CACHE_BYTES,
                    ReaderOptions.USUAL_READ_AHEAD_BYTES,
                    patience == null ? ReaderOptions.USUAL_PATIENCE : TimeSpan.parse(patience),
                    cores);
        } catch (IllegalArgumentException e) {
            throw new IOException("wrong options: " + e.getMessage(), e);
        }
    }

    /** The latest may be another by now. */
    private static SnapshotChoice choice(SnapshotChoice asked, Path target) throws IOException {
        return asked.id().isPresent()
                ? asked
                : LiveRestore.begun(target)
                        .filter(begun -> begun.name().equals(asked.name()))
                        .orElse(asked);
    }

    private int serve(OpenOptions.Opened opened, LiveRestore restore, Path target, AtEnd end) throws IOException {
        try (Export served = export.open(restore.volume())) {
            end.onSignal(() -> cutOff(served, restore));
            announce(opened, served, target, restore.presentBytes());
            LiveState state = ProgressLine.during(
                    "restored", restore.volume().size(), restore::presentBytes, () -> awaitFilled(restore));
            if (state == LiveState.WHOLE) {
                System.out.println(target + " is whole, and every byte that came from the backup was proved. The export"
                        + " goes on from it: start the machine from the file when it is stopped next.");
                System.out.flush();
            } else if (state == LiveState.DAMAGED) {
                Warnings.print(List.of("all but what is damaged in the backup is there; reads of that fail"));
            }
            if (state == LiveState.WHOLE || state == LiveState.DAMAGED) {
                awaitEnd(served);
            }
        }
        restore.endFilling();
        return report(restore, target);
    }

    /** Whoever waits for one of the two goes on. */
    private static void cutOff(Export served, LiveRestore restore) throws IOException {
        served.close();
        restore.endFilling();
    }

    private static void announce(OpenOptions.Opened opened, Export served, Path target, long presentBytes) {
        System.out.println("restoring " + opened.name() + ", taken "
                + opened.proved().summary().taken() + ", "
                + SnapshotText.size(opened.reader().size()) + ", to " + target + " while it is used"
                + (presentBytes == 0 ? ":" : ", of which " + SnapshotText.size(presentBytes) + " are there:"));
        System.out.println(served.uri());
        System.out.println("try: qemu-system-x86_64 -m 2G -drive 'file=" + served.uri()
                + ",format=raw,if=virtio,cache=none,discard=unmap'");
        System.out.flush();
    }

    private static LiveState awaitFilled(LiveRestore restore) throws IOException {
        try {
            return restore.awaitFilled();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void awaitEnd(Export served) throws IOException {
        try {
            if (once) {
                served.awaitNobody();
            } else {
                served.awaitEnd(false, Optional.empty());
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted", e);
    }

    private static int report(LiveRestore restore, Path target) throws IOException {
        LiveState state = restore.state();
        if (state == LiveState.WHOLE) {
            return 0;
        }
        String there = SnapshotText.size(restore.presentBytes()) + " of "
                + SnapshotText.size(restore.volume().size()) + " are there";
        if (state == LiveState.FAILED) {
            throw new IOException("the disk of " + target + " fails, " + there
                    + ": what was flushed before stays; restore to another disk, or mend it and type the same command");
        }
        Warnings.print(List.of(target + " is not whole, " + there
                + (state == LiveState.DAMAGED
                        ? ": have what is damaged repaired, or written over, and type the same command again"
                        : ": the same command goes on")));
        return 1;
    }
}
