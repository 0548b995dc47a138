// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.io.IOException;

/** Shows that a machine has started. One thread. */
public interface LifeSign {

    /** As people call it. */
    String text();

    /** Looks once, for a moment at most; whether the sign is there. */
    boolean isSeen() throws IOException;
}
