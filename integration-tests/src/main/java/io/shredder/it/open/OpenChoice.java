// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open;

import io.shredder.backup.server.machine.MachineOptions;
import io.shredder.it.figures.SizeConverter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What of opened backups to measure, and with what of this machine. */
public final class OpenChoice {
    static final String EXPORTS = "exports";
    static final String KERNEL = "kernel";
    static final String MOUNT = "mount";
    static final String FILES = "files";
    static final String FUZZ = "fuzz";
    static final String BOOT = "boot";
    static final String LIVE = "live";
    static final String TRACKED = "tracked";
    static final String LEDGER = "ledger";

    /** What {@code --only} takes. */
    public static final List<String> PARTS = List.of(EXPORTS, KERNEL, MOUNT, FILES, FUZZ, BOOT, LIVE, TRACKED, LEDGER);

    @Option(
            names = "--python",
            paramLabel = "FILE",
            description = "open: the Python that has Dissect's parsers (default: as 'shredder-backup files')")
    private @Nullable Path python;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "open: images with changed bytes (default: ${DEFAULT-VALUE})")
    private int count = 1_000;

    @Option(
            names = "--boot-disk",
            paramLabel = "FILE",
            description = "open: a raw disk that says 'login:' on its serial console once it has started (default: one"
                    + " made by tools/debian-disk.sh)")
    private @Nullable Path disk;

    @Option(
            names = "--accelerator",
            paramLabel = "KIND",
            description = "open: of machines that start, ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private MachineOptions.Accelerator accelerator = MachineOptions.Accelerator.AUTO;

    @Option(
            names = "--machine-disk",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "16g",
            description = "open: of the running machine whose changes are tracked (default: ${DEFAULT-VALUE})")
    private long machineDiskBytes;

    @Option(
            names = "--live-image",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = "2g",
            description = "open: that a guest uses while it is restored (default: ${DEFAULT-VALUE})")
    private long liveImageBytes;

    @Option(
            names = "--backups",
            paramLabel = "N",
            description = "open: of a machine whose database is written, each restored (default: ${DEFAULT-VALUE})")
    private int backups = 100;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "open: of clients that say anything (default: ${DEFAULT-VALUE})")
    private int requests = 1_000_000;

    Optional<Path> python() {
        return Optional.ofNullable(python);
    }

    int count() {
        return count;
    }

    Optional<Path> disk() {
        return Optional.ofNullable(disk);
    }

    MachineOptions.Accelerator accelerator() {
        return accelerator;
    }

    /** QEMU's word. */
    String accelerating() {
        boolean kvm = accelerator == MachineOptions.Accelerator.KVM
                || (accelerator == MachineOptions.Accelerator.AUTO && Files.isWritable(Path.of("/dev/kvm")));
        return kvm ? "kvm" : "tcg";
    }

    long machineDiskBytes() {
        return machineDiskBytes;
    }

    long liveImageBytes() {
        return liveImageBytes;
    }

    int requests() {
        return requests;
    }

    int backups() {
        return backups;
    }
}
