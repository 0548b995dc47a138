// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersalConfig;
import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.KeeperFolders;
import io.shredder.backup.agent.dispersal.Keepers;
import io.shredder.backup.agent.dispersal.Versions;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * Gives up a file of which it can't be told whether its newest version counts, and never will: too few keepers have it,
 * and those that may have had it were replaced. All places must have a keeper that takes changes, so that nobody is
 * waited for. The keepers are locked meanwhile. For one thread.
 */
public final class GiveUp implements Closeable {

    private final DispersedStorage storage;
    private final Versions.Doubt doubt;

    private GiveUp(DispersedStorage storage, Versions.Doubt doubt) {
        this.storage = storage;
        this.doubt = doubt;
    }

    /**
     * Opens a store that was made before; nothing is given up yet.
     *
     * @param file as a check names it
     * @throws IOException if there is no doubt about the file, or if a keeper is away that may end it
     */
    public static GiveUp open(DispersalConfig config, String file) throws IOException {
        DispersedStorage storage = DispersedStorage.open(config, KeeperFolders.openMade(config, true));
        try {
            Versions.Doubt doubt = storage.versions()
                    .doubt(file)
                    .orElseThrow(() -> new IOException("nothing is to be given up of " + file
                            + ": what counts of it can be told; check-keepers names files of which it can't"));
            requireAll(storage.keepers(), file);
            return new GiveUp(storage, doubt);
        } catch (IOException e) {
            storage.close();
            throw e;
        }
    }

    private static void requireAll(Keepers keepers, String file) throws IOException {
        for (int i = 0; i < keepers.dispersal().keepers(); i++) {
            Optional<Keeper> keeper = keepers.get(i);
            if (keeper.isEmpty() || !keeper.get().takesChanges()) {
                String why = keeper.isEmpty() ? keepers.whyAway(i) : keeper.get() + " takes no changes";
                throw new IOException("keeper " + i + " may have " + file + ": bring it back; or, if it is lost, put a"
                        + " new one in its place with replace-keeper before anything is given up: " + why);
            }
        }
    }

    /** The version that is given up, and why. */
    public Versions.Doubt doubt() {
        return doubt;
    }

    /** Does it. */
    public void run() throws IOException {
        storage.giveUp(doubt);
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
