// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import io.shredder.it.backup.Contender.Invocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How another project's program is told to do what is measured. */
interface Tool {
    /** As in tables. */
    String name();

    /** The program's file, as {@code tools/peers/backup.sh} names it. */
    default String program() {
        return name();
    }

    /** What can be measured: all, but nothing twice. */
    default Set<Operation> operations() {
        return EnumSet.complementOf(EnumSet.of(Operation.LOCAL_RESTORE));
    }

    /** Variables that keep its secrets and its files in the site. */
    Map<String, String> environment(Site site);

    /** Makes the repository. */
    List<Invocation> initialise(Site site);

    /** Does an operation. */
    List<Invocation> commands(Operation operation, Site site);

    /**
     * Where a tool works.
     *
     * @param program its file
     * @param folder for what it writes besides
     * @param repository an empty folder at first
     * @param restored the folder in which it restores, empty
     * @param sources what it backs up
     */
    record Site(Path program, Path folder, Path repository, Path restored, Sources sources) {
        static final String PASSPHRASE = "correct horse battery staple";

        /** The program with arguments, run in the site's folder. */
        Invocation run(Object... arguments) {
            return runIn(folder, arguments);
        }

        /** The program with arguments, run in some folder. */
        Invocation runIn(Path where, Object... arguments) {
            var words = new ArrayList<String>(List.of(program.toString()));
            for (Object argument : arguments) {
                words.add(argument.toString());
            }
            return new Invocation(where, words);
        }
    }
}
