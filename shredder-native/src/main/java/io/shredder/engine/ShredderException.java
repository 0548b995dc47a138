// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.IOException;

/** The engine can't do what it was asked. Subclasses say what the caller can do about it. */
public class ShredderException extends IOException {

    private static final long serialVersionUID = 1L;

    public ShredderException(String message) {
        super(message);
    }
}
