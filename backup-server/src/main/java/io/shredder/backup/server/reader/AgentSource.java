// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.client.AgentClient;
import java.io.IOException;

/** Where a reader gets another connection, when it has lost one. */
@FunctionalInterface
public interface AgentSource {

    /** Connects; whoever asks closes it. */
    AgentClient connect() throws IOException;
}
