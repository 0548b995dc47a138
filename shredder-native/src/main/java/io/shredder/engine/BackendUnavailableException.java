// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/** The backend, device or native library is not there: install it, or ask for another. */
public final class BackendUnavailableException extends ShredderException {

    private static final long serialVersionUID = 1L;

    public BackendUnavailableException(String message) {
        super(message);
    }
}
