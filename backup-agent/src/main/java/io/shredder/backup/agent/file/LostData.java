// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.List;

/**
 * Tells bytes that a disk has lost from a disk that can't be asked now: the first are damage, and what else is kept can
 * still be read.
 */
public final class LostData {

    /**
     * What Linux says of bytes that are gone: EIO; ENODATA and EILSEQ, of a medium or its checksums; EUCLEAN and
     * EBADMSG, of a file system that finds itself damaged. Java passes on these words alone.
     */
    private static final List<String> WORDS = List.of(
            "Input/output error",
            "No data available",
            "Invalid or incomplete multibyte or wide character",
            "Structure needs cleaning",
            "Bad message");

    private LostData() {}

    /**
     * What to throw instead of an error of a read.
     *
     * @param file as errors name it
     * @param offset of the first byte that could not be read
     * @return damage of the file at the offset, or the error itself if it says nothing of what is kept
     */
    public static IOException named(IOException error, String file, long offset) {
        String text = String.valueOf(error.getMessage());
        if (WORDS.stream().noneMatch(text::contains)) {
            return error;
        }
        DamagedDataException damage = new DamagedDataException(file, offset, "can't be read: " + text);
        damage.initCause(error);
        return damage;
    }
}
