// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which disks of a machine are backed up.
 *
 * @param only these, or all if there are none
 * @param except not these
 */
public record DiskChoice(Set<String> only, Set<String> except) {

    /**
     * Keeps copies.
     *
     * @throws IllegalArgumentException naming a disk of both
     */
    public DiskChoice {
        only = Set.copyOf(only);
        except = Set.copyOf(except);
        Set<String> both = new TreeSet<>(only);
        both.retainAll(except);
        if (!both.isEmpty()) {
            throw new IllegalArgumentException("disk " + String.join(", ", both) + " is both wanted and left out");
        }
    }

    /**
     * Those of a machine.
     *
     * @throws IOException if it lacks one that was named, or none is left
     */
    public List<String> of(RunningMachine machine) throws IOException {
        List<String> all = machine.disks();
        Set<String> there = new TreeSet<>(all);
        Set<String> missing = new TreeSet<>(only);
        missing.addAll(except);
        missing.removeAll(there);
        if (!missing.isEmpty()) {
            throw new IOException(
                    machine + " has no disk " + String.join(", ", missing) + ": it has " + String.join(", ", there));
        }
        List<String> chosen = all.stream()
                .filter(disk -> (only.isEmpty() || only.contains(disk)) && !except.contains(disk))
                .toList();
        if (chosen.isEmpty()) {
            throw new IOException(machine + " has no disk to back up: it has "
                    + (there.isEmpty() ? "none that it writes" : String.join(", ", there)));
        }
        return chosen;
    }
}
