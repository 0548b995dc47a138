// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import java.io.IOException;

/** Another process, or this one, holds the home of a keeper already. */
public final class HomeInUseException extends IOException {

    private static final long serialVersionUID = 1L;

    public HomeInUseException(String message) {
        super(message);
    }
}
