// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import java.io.IOException;

/** Too few keepers answer for another one to be filled. They may answer again. */
final class TooFewOthersException extends IOException {

    private static final long serialVersionUID = 1L;

    TooFewOthersException(String message) {
        super(message);
    }
}
