// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.text.SnapshotText;

/**
 * What is served: one snapshot, by its name and as the default export.
 *
 * @param name {@code NAME@ID}
 * @param reader of its bytes
 */
record NbdExport(String name, SnapshotReader reader) {

    static NbdExport of(SnapshotReader reader) {
        return new NbdExport(SnapshotText.name(reader.snapshot()), reader);
    }

    boolean isCalled(String asked) {
        return asked.isEmpty() || asked.equals(name);
    }

    String description() {
        return "snapshot " + name + ", read-only";
    }
}
