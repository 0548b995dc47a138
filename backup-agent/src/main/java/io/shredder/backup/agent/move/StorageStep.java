// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;

/** What is done at one of two storages. */
final class StorageStep {

    private StorageStep() {}

    /** Asks for something. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Storage storage) throws IOException;
    }

    /** Changes something. */
    @FunctionalInterface
    interface Act {
        void on(Storage storage) throws IOException;
    }
}
