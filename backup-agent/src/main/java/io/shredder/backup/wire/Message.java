// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import java.nio.ByteBuffer;

/**
 * A frame's body: a client's {@link Request}, an agent's {@link Answer}, what is said between an agent and a keeper
 * ({@link KeeperMessage}), or a {@link KeepAlive} of any of them.
 */
public sealed interface Message permits Request, Answer, KeeperMessage, KeepAlive {

    /** The frame type that carries it. */
    FrameType type();

    /** How many bytes {@link #writeBody} writes. */
    int bodyBytes();

    /** Writes the body at the position of {@code target}, which must be big-endian. */
    void writeBody(ByteBuffer target);
}
