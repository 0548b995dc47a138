// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/** A bad option; the message names the value and what it may be. */
public final class InvalidOptionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public InvalidOptionException(String message) {
        super(message);
    }
}
