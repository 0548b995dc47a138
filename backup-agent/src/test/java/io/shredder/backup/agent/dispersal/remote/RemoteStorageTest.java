// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.keep.KeepSite;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The files of one keeper on another machine, which are what every storage's are. */
class RemoteStorageTest extends StorageContract {

    private @Nullable KeepSite site;

    @Override
    protected Storage openEmpty(Path folder) throws IOException {
        KeepSite started = new KeepSite(folder.resolve("site"));
        site = started;
        HeldHome held = started.home(started.start(Files.createDirectory(folder.resolve("keeper"))), "agent1")
                .hold();
        return held.storage();
    }

    @AfterEach
    void stop() throws IOException {
        if (site != null) {
            site.close();
        }
    }
}
