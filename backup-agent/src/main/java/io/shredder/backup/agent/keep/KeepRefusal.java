// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import io.shredder.backup.wire.ErrorCode;
import java.io.IOException;

/** A request that is refused, though disk and folder are as they should be. */
final class KeepRefusal extends IOException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    KeepRefusal(ErrorCode code, String text) {
        super(text);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }
}
