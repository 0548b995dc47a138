// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Predicate;

/** A folder that is held, with another way to its files. */
class HeldOverStorage implements HeldHome {

    private final HeldHome held;
    private final Storage storage;

    HeldOverStorage(HeldHome held, Storage storage) {
        this.held = held;
        this.storage = storage;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public boolean has(String file) {
        return held.has(file);
    }

    @Override
    public void endWriting(String folder, Predicate<String> mayBeOpen) throws IOException {
        held.endWriting(folder, mayBeOpen);
    }

    @Override
    public void makeFolder(String name) throws IOException {
        held.makeFolder(name);
    }

    @Override
    public void rename(String file, String name) throws IOException {
        held.rename(file, name);
    }

    @Override
    public void setModified(String file, Instant modified) throws IOException {
        held.setModified(file, modified);
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
