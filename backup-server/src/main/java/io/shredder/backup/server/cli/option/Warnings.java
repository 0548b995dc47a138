// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.server.trust.UnprovedSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What whoever runs a command should know although it is done. */
public final class Warnings {

    /** The operator's command, which each line begins with. */
    public static final String NAME = "shredder-backup";

    private static final int MOST_NAMED = 5;

    private Warnings() {}

    /** Prints them on standard error, a line each. */
    public static void print(Collection<String> warnings) {
        warnings.forEach(line -> System.err.println(NAME + ": " + line));
    }

    /** Names the first few snapshots that stand apart and counts the rest: who may append can make thousands. */
    public static void ofUnproved(String what, List<UnprovedSnapshot> unproved) {
        List<String> lines = new ArrayList<>();
        unproved.stream().limit(MOST_NAMED).forEach(other -> lines.add(what + ": " + other));
        if (unproved.size() > MOST_NAMED) {
            lines.add(what + ": " + (unproved.size() - MOST_NAMED)
                    + " more that no key given here proves; 'shredder-backup list --repository-key FILE' names them");
        }
        print(lines);
    }
}
