// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.util.ArrayList;
import java.util.List;

/** The broken rules of one set of parameters, each with the place in a parameter block of the field that breaks it. */
final class ParamProblems {

    // docs/formats/chunking.md, section 7
    static final int POLYNOMIAL_AT = 0;
    static final int WINDOW_AT = 8;
    static final int MASK_BITS_AT = 10;
    static final int SEGMENT_MASK_BITS_AT = 11;
    static final int DIGEST_AT = 12;
    static final int RESERVED_AT = 13;
    static final int MARKER_AT = 16;
    static final int MIN_AT = 24;
    static final int MAX_AT = 32;
    static final int SEGMENT_MIN_AT = 40;
    static final int SEGMENT_MAX_AT = 48;

    private record Problem(int fieldAt, String text) {}

    private final List<Problem> problems = new ArrayList<>();

    void add(int fieldAt, String text) {
        problems.add(new Problem(fieldAt, text));
    }

    /** @throws InvalidParamsException naming every problem, if there is any */
    void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new InvalidParamsException(
                    problems.stream().map(Problem::text).toList(),
                    problems.get(0).fieldAt());
        }
    }
}
