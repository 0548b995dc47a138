// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What is needed to hold a machine's disks, besides its address.
 *
 * @param guestAgent the socket of the guest agent's channel, where the machine doesn't know it itself
 * @param freezing whether the guest's file systems are to rest for a moment
 * @param scratch a folder for what the machine overwrites during a backup, which QEMU must reach
 */
public record MachineAccess(Optional<Path> guestAgent, Freezing freezing, Path scratch) {

    /** Where scratch files are unless it is said. */
    public static final String USUAL_SCRATCH = "/var/tmp";
}
