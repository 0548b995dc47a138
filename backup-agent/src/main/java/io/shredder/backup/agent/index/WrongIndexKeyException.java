// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;

/** The index was made with another key. */
public final class WrongIndexKeyException extends IOException {

    private static final long serialVersionUID = 1L;

    WrongIndexKeyException() {
        super("the index was made with another index key");
    }
}
