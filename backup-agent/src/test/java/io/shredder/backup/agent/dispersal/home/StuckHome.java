// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import java.io.IOException;
import java.nio.file.Path;

/** A local folder that may refuse to give files their names, as if its disk failed between two steps of a change. */
public final class StuckHome extends ChangedHome {

    private volatile boolean stuck;

    /** It works. */
    public StuckHome(Path folder) {
        super(folder);
    }

    /** From now on it refuses, or works again. */
    public void stick(boolean sticks) {
        stuck = sticks;
    }

    @Override
    public HeldHome hold() throws IOException {
        HeldHome held = holdFolder();
        return new HeldOverStorage(held, held.storage()) {
            @Override
            public void rename(String file, String name) throws IOException {
                if (stuck) {
                    throw new IOException("the disk failed");
                }
                super.rename(file, name);
            }
        };
    }
}
