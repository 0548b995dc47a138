// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.wire.ErrorCode;

/** A request that can't be done, for a reason that the client is told. The connection goes on. */
public final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    RefusedException(ErrorCode code, String text) {
        super(text);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }
}
