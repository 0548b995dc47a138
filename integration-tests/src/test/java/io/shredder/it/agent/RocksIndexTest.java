// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.agent.index.CopiedFolders;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.FingerprintIndexContract;
import java.io.IOException;
import java.nio.file.Path;

/** The comparator keeps the same contract. */
class RocksIndexTest extends FingerprintIndexContract {

    @Override
    protected void create(Path in) throws IOException {
        open(in).close();
    }

    @Override
    protected FingerprintIndex open(Path in) throws IOException {
        return RocksIndex.openAtRest(in.resolve("db"));
    }

    @Override
    protected Path crash(Path in) throws IOException {
        Path copy = java.nio.file.Files.createTempDirectory(folder, "crash");
        java.nio.file.Files.move(CopiedFolders.copy(in.resolve("db"), folder), copy.resolve("db"));
        return copy;
    }
}
