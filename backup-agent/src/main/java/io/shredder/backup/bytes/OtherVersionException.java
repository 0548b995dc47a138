// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.bytes;

import io.shredder.chunk.DamagedDataException;

/** A file is whole, but of a version of its format that this program doesn't read. The problem says what to do. */
public final class OtherVersionException extends DamagedDataException {

    private static final long serialVersionUID = 1L;

    /**
     * Names both versions.
     *
     * @param source the file
     * @param offset where its version stands
     */
    public OtherVersionException(String source, long offset, int found, int read) {
        super(
                source,
                offset,
                "it has version " + found + ", this program reads version " + read
                        + (found < read
                                ? ": serve and restore it with the release that made it, and back up into a new repository"
                                : ": upgrade this program"));
    }
}
