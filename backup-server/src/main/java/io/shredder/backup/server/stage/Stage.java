// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.io.IOException;

/** One step of a backup, on a thread of its own. */
public interface Stage {

    /** Works until the pipe that feeds it ends. */
    void run() throws IOException;
}
