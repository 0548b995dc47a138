// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Predicate;

/** A {@link KeeperHome} that nobody else can change before this is closed. Safe for any number of threads. */
public interface HeldHome extends Closeable {

    /** Its files. */
    Storage storage();

    /** Whether a file is there now; also no if nobody can tell. */
    boolean has(String file);

    /** Whether it answers again after it failed, if such a thing is known. */
    default SignOfLife signOfLife() {
        return SignOfLife.NONE;
    }

    /**
     * Changes are made by the writer of this epoch from now on, which the home has noted.
     *
     * @return whether the home itself refuses a change once another writer has come, by {@link OtherWriterException}
     */
    default boolean writesAs(int epoch) {
        return false;
    }

    /**
     * Settles the lengths of files that a dead process may have left open.
     *
     * @param folder where they are
     * @param mayBeOpen by their names
     */
    void endWriting(String folder, Predicate<String> mayBeOpen) throws IOException;

    /** Whether the home is still the folder that was held. */
    default boolean isStillThere() {
        return true;
    }

    /** Makes a folder in it, unless that is there. */
    void makeFolder(String name) throws IOException;

    /** Gives a whole, forced, closed file another name, also that of one that is there: old or new, durably. */
    void rename(String file, String name) throws IOException;

    /** Makes a file say that it was last written then. */
    void setModified(String file, Instant modified) throws IOException;
}
