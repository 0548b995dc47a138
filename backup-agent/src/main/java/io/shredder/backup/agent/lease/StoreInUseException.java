// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lease;

import java.io.IOException;

/** Another process has the folder. */
public final class StoreInUseException extends IOException {

    private static final long serialVersionUID = 1L;

    StoreInUseException(String message) {
        super(message);
    }
}
