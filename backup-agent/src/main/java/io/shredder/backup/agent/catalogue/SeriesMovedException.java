// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;

/** A series has got another snapshot since an id was reserved for its next. Nothing was done. */
public final class SeriesMovedException extends IOException {

    private static final long serialVersionUID = 1L;

    SeriesMovedException(SnapshotName series) {
        super("series " + series + " got another snapshot meanwhile: prepare the commit again");
    }
}
