// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/** The stream was cancelled, or has failed and its error was reported already. */
public final class StreamCancelledException extends ShredderException {

    private static final long serialVersionUID = 1L;

    StreamCancelledException(String message) {
        super(message);
    }
}
