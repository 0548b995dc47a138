// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/** Small tables, merged by threads of their own beside readers and the writer. */
class BackgroundMergesTest extends FingerprintIndexContract {

    private static final Executor THREADS = work -> new Thread(work, "index-merge").start();

    private LogStructuredIndex opened;

    @Override
    protected void create(Path in) throws IOException {
        LogStructuredIndex.create(LogStructuredIndexTest.files(new DiskFolder(in)));
    }

    @Override
    protected FingerprintIndex open(Path in) throws IOException {
        opened = LogStructuredIndex.open(LogStructuredIndexTest.files(new DiskFolder(in)), 100, THREADS);
        return opened;
    }

    /** Files can't be copied at one moment while they come and go. */
    @Override
    protected Path crash(Path in) throws IOException {
        opened.awaitMerges();
        return CopiedFolders.copy(in, folder);
    }
}
