// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.io.IOException;

/** What was sent is refused, and would be however often it is sent again. */
final class NeverTakenException extends IOException {

    private static final long serialVersionUID = 1;

    NeverTakenException(String why) {
        super(why);
    }
}
