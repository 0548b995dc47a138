// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import java.io.IOException;

/** An image has changed where whoever keeps track of its changes says that it hasn't: nothing of it may be trusted. */
public final class UntrueChangesException extends IOException {

    private static final long serialVersionUID = 1;

    UntrueChangesException(String message) {
        super(message);
    }
}
