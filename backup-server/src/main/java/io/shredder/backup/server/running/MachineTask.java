// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.source.ImageCuts;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What is to be backed up of a running machine, as a command or a configuration says it.
 *
 * @param address which machine
 * @param disks of it
 * @param access how they are held
 * @param wholeEvery how often every byte is to be read
 * @param readBandwidth bytes a second that may be read of its disks, if that is limited
 */
public record MachineTask(
        MachineAddress address,
        DiskChoice disks,
        MachineAccess access,
        Duration wholeEvery,
        Optional<ByteSize> readBandwidth) {

    /** How often every byte is read unless it is said. */
    public static final String USUAL_WHOLE_EVERY = "7d";

    /**
     * Keeps it.
     *
     * @throws IllegalArgumentException saying what doesn't go together
     */
    public MachineTask {
        boolean isLibvirt = address instanceof MachineAddress.Libvirt;
        if (isLibvirt && access.guestAgent().isPresent()) {
            throw new IllegalArgumentException("a guest agent's socket goes with qmp: libvirt knows the domain's");
        } else if (!isLibvirt
                && access.freezing() == Freezing.REQUIRED
                && access.guestAgent().isEmpty()) {
            throw new IllegalArgumentException("freezing is required, and no guest agent's socket is named");
        }
    }

    /**
     * Backs it up; the disk that fails does not keep others from it.
     *
     * @param backup may be closed meanwhile, which ends this
     * @param pace beside which the task's own counts
     * @throws IOException if none of the disks could be held
     */
    public RunningBackup.Outcome run(RunningBackup backup, ImageCuts cuts, Remarks remarks, Pace pace)
            throws IOException {
        Pace own = readBandwidth.map(rate -> Pace.of(rate.bytes())).orElse(Pace.unlimited());
        try (RunningMachine machine = address.connect(access)) {
            return backup.run(
                    machine, disks.of(machine), new RunningBackup.Choice(cuts, remarks, pace.and(own), wholeEvery));
        }
    }
}
