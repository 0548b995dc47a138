// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.util.List;

/** Chunking parameters that break a rule of {@code docs/formats/chunking.md}; the message names every broken rule. */
public class InvalidParamsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final int fieldAt;

    /** @param fieldAt where in a parameter block the field of the first problem is */
    InvalidParamsException(List<String> problems, int fieldAt) {
        super(String.join("; ", problems));
        this.fieldAt = fieldAt;
    }

    int fieldAt() {
        return fieldAt;
    }
}
