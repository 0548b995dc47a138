// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;

/** Reads a whole file, for as long as that takes. */
@FunctionalInterface
interface FileCopier {

    /** Returns what was read. */
    Copy read(String name, ReadableFile file) throws IOException;

    /** A file that was read. */
    @FunctionalInterface
    interface Copy {

        /** Has a storage write it under the same name. */
        void write(Storage to) throws IOException;
    }
}
