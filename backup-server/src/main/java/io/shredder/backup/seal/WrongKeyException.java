// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;

/** A snapshot was sealed with another key than the one at hand. */
public final class WrongKeyException extends IOException {

    private static final long serialVersionUID = 1L;

    WrongKeyException(SnapshotInfo snapshot, KeyId given) {
        super("snapshot " + snapshot.name() + "@" + snapshot.id() + " is sealed with key "
                + snapshot.seal().key() + ", not with key " + given
                + ": name the file of the other key with --repository-key");
    }
}
