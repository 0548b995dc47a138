// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A machine that runs, as whatever runs it lets others hold its disks. One thread. */
public interface RunningMachine extends Closeable {

    /** The names of the disks that it writes, each fit for a part of a series' name. */
    List<String> disks() throws IOException;

    /** What it is besides its disks, where that can be told. */
    default Optional<MachineDefinition> definition() throws IOException {
        return Optional.empty();
    }

    /** Where what it overwrites is kept while its disks are held. */
    Path scratch();

    /**
     * Holds disks as they are at one moment, all of them at the same one.
     *
     * @param point what the moment is called
     * @param wholeEvery how often every byte is to be read
     */
    MachinePoint hold(List<DiskPlan> plans, String point, Duration wholeEvery) throws IOException;
}
