// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import java.io.IOException;

/** A keeper is another's, or in another's hands: nobody may go on as if it were only away. */
public final class OtherKeeperException extends IOException {

    private static final long serialVersionUID = 1L;

    public OtherKeeperException(String message) {
        super(message);
    }

    public OtherKeeperException(String message, Throwable cause) {
        super(message, cause);
    }
}
