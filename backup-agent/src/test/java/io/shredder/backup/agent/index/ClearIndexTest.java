// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.file.Path;

/** What encryption is measured against keeps the same contract. */
class ClearIndexTest extends FingerprintIndexContract {

    @Override
    protected void create(Path in) throws IOException {
        SealedIndex.NOTHING.create(in);
    }

    @Override
    protected FingerprintIndex open(Path in) throws IOException {
        return SealedIndex.NOTHING.open(in, 40, Runnable::run);
    }

    @Override
    protected Path crash(Path in) throws IOException {
        return CopiedFolders.copy(in, folder);
    }
}
