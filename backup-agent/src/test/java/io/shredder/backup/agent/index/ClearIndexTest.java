// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.file.Path;

/** What encryption is measured against keeps the same contract. */
class ClearIndexTest extends FingerprintIndexContract {

    private static IndexFiles files(Path in) {
        return new IndexFiles(
                new DiskFolder(in),
                LogStructuredIndexTest.REPOSITORY,
                LogStructuredIndexTest.KEY,
                Sealing.Kind.NONE,
                Sealing.Kind.NONE);
    }

    @Override
    protected void create(Path in) throws IOException {
        LogStructuredIndex.create(files(in));
    }

    @Override
    protected FingerprintIndex open(Path in) throws IOException {
        return LogStructuredIndex.open(files(in), 40, Runnable::run);
    }

    @Override
    protected Path crash(Path in) throws IOException {
        return CopiedFolders.copy(in, folder);
    }
}
