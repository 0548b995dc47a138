// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.access.Right;
import io.shredder.backup.protocol.FrameType;
import io.shredder.backup.protocol.Request;
import java.util.Optional;

/** Which right a request needs: {@code docs/formats/wire.md}, section 1. */
final class RequestRights {

    private RequestRights() {}

    /** The right, or empty for what every client that is let in may ask. */
    static Optional<Right> neededFor(Request request) {
        FrameType type = request.type();
        return switch (type) {
            case LOOKUP, PUT, SYNC, BEGIN, APPEND, COMMIT -> Optional.of(Right.APPEND);
            case SHOW, FETCH, VERIFY -> Optional.of(Right.RESTORE);
            case DELETE, COLLECT -> Optional.of(Right.PRUNE);
            default -> Optional.empty();
        };
    }
}
