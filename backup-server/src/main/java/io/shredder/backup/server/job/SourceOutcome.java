// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import java.util.List;
import java.util.Optional;

/** What became of one image, or of one machine. */
public sealed interface SourceOutcome permits ImageOutcome, MachineOutcome {

    /** The image itself, or the machine's. */
    List<ImageOutcome> images();

    /** Whether there is a snapshot of each and nothing was wrong. */
    boolean succeeded();

    /** What was wrong besides a machine's single images; empty if nothing was. */
    Optional<String> error();
}
