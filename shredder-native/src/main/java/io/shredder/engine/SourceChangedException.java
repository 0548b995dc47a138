// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/** A file shrank or grew while it was read: chunk it again when nobody writes it. */
public final class SourceChangedException extends ShredderException {

    private static final long serialVersionUID = 1L;

    SourceChangedException(String message) {
        super(message);
    }
}
