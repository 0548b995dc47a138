// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;

/**
 * The folder that a keeper's files are in, wherever that is. It is made by the operator, and is never made here: where
 * it isn't, a disk or a cluster may be away. Files are changed only by whoever holds it. {@code toString} says for
 * messages which one it is. Safe for any number of threads.
 */
public interface KeeperHome {

    /** A small file's bytes, also while another holds the home; empty if the file, or the folder, isn't there. */
    Optional<ByteBuffer> read(String file) throws IOException;

    /**
     * Names of all that lies in the folder itself, but for what the home has there for its own use; empty if the folder
     * isn't there.
     */
    Optional<Set<String>> names() throws IOException;

    /** Where a file is, for messages. */
    String path(String file);

    /** Whether both are one folder that is there, whatever they are named. */
    boolean isSameAs(KeeperHome other) throws IOException;

    /**
     * Keeps others out until it is closed, or this process dies.
     *
     * @throws HomeInUseException if somebody has it
     */
    HeldHome hold() throws IOException;
}
