// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.io.IOException;

/**
 * Bytes that break their format's rules: truncated, flipped, or of an unknown version. Carries where they came from and
 * at which offset the first broken rule was found.
 */
public class DamagedDataException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String source;
    private final long offset;
    private final String problem;

    /**
     * @param source the file or peer that the bytes came from
     * @param offset in bytes from the start of {@code source}, where the problem was found
     * @param problem what is wrong, in a few words
     */
    public DamagedDataException(String source, long offset, String problem) {
        super(source + ": damaged at offset " + offset + ": " + problem);
        this.source = source;
        this.offset = offset;
        this.problem = problem;
    }

    /** The file or peer that the bytes came from. */
    public String source() {
        return source;
    }

    /** Where in {@link #source()} the problem was found, in bytes. */
    public long offset() {
        return offset;
    }

    /** What is wrong, without the place, for whoever knows more about it and throws again. */
    public String problem() {
        return problem;
    }
}
