// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A local folder whose files are reached in another way by whoever holds it. */
abstract class ChangedHome implements KeeperHome {

    private final LocalHome home;

    ChangedHome(Path folder) {
        this.home = new LocalHome(folder);
    }

    /** The folder as it is. */
    HeldHome holdFolder() throws IOException {
        return home.hold();
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return home.read(file);
    }

    @Override
    public Optional<Set<String>> names() throws IOException {
        return home.names();
    }

    @Override
    public String path(String file) {
        return home.path(file);
    }

    @Override
    public boolean isSameAs(KeeperHome other) {
        return equals(other);
    }

    @Override
    public String toString() {
        return home.toString();
    }
}
