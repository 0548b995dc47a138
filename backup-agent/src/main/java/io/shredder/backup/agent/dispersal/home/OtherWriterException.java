// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import java.io.IOException;

/** A home refuses a change: another writer has come after this one. */
public final class OtherWriterException extends IOException {

    private static final long serialVersionUID = 1L;

    public OtherWriterException(String message) {
        super(message);
    }
}
