// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.server.running.DiskChoice;
import io.shredder.backup.server.running.Freezing;
import io.shredder.backup.server.running.MachineAccess;
import io.shredder.backup.server.running.MachineAddress;
import io.shredder.backup.server.running.MachineTask;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is backed up of a machine that runs, and how it is held. */
public final class MachineTaskOptions {

    @Parameters(
            paramLabel = "MACHINE",
            description =
                    "The machine: libvirt:DOMAIN, or qmp:SOCKET with the Unix socket of QEMU's machine protocol (QMP).")
    private String machine = "";

    @Option(
            names = "--uri",
            paramLabel = "URI",
            description = "Which libvirt, as virsh's --connect (default: LIBVIRT_DEFAULT_URI says it, as for virsh).")
    private @Nullable String uri;

    @Option(
            names = "--disk",
            paramLabel = "DISK",
            description = "Only this disk; may be given several times (default: all that the machine writes).")
    private Set<String> only = Set.of();

    @Option(names = "--except", paramLabel = "DISK", description = "Not this disk; may be given several times.")
    private Set<String> except = Set.of();

    @Option(
            names = "--guest-agent",
            paramLabel = "SOCKET",
            description = "With qmp: Unix socket of the guest agent's channel, which freezes file systems for a moment."
                    + " libvirt knows the domain's.")
    private @Nullable Path guestAgent;

    @Option(
            names = "--freeze",
            defaultValue = "auto",
            paramLabel = "WHEN",
            description = "Whether the guest agent freezes file systems: auto, where there is one, with a warning if it"
                    + " fails; required, or there is no snapshot; never (default: ${DEFAULT-VALUE}).")
    private String freeze = "auto";

    @Option(
            names = "--scratch",
            defaultValue = MachineAccess.USUAL_SCRATCH,
            paramLabel = "DIR",
            description = "Where to keep what the machine overwrites during the backup, which may become as much as its"
                    + " disks; QEMU writes there (default: ${DEFAULT-VALUE}).")
    private Path scratch = Path.of(MachineAccess.USUAL_SCRATCH);

    @Option(
            names = "--whole-every",
            defaultValue = MachineTask.USUAL_WHOLE_EVERY,
            paramLabel = "TIME",
            description = "Read every byte and compare, if that was so long ago, to find a tracking of changes that"
                    + " lies (default: ${DEFAULT-VALUE}).")
    private String wholeEvery = MachineTask.USUAL_WHOLE_EVERY;

    @Option(
            names = "--read-bandwidth",
            paramLabel = "SIZE",
            description = "Read at most so much a second, to leave the guest's disks to the guest.")
    private @Nullable ByteSize readBandwidth;

    /**
     * What was given.
     *
     * @throws IllegalArgumentException saying what is wrong or doesn't go together
     */
    public MachineTask task() {
        return new MachineTask(
                MachineAddress.parse(machine, Optional.ofNullable(uri)),
                new DiskChoice(only, except),
                new MachineAccess(Optional.ofNullable(guestAgent), Freezing.parse(freeze), scratch),
                TimeSpan.positive(wholeEvery),
                Optional.ofNullable(readBandwidth));
    }
}
