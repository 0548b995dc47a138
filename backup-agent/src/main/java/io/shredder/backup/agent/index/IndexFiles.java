// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What all files of one index share.
 *
 * @param folder where they are
 * @param repository that they belong to
 * @param key that theirs are derived from
 * @param logSealing of log segments
 * @param runSealing of runs
 */
record IndexFiles(IndexFolder folder, UUID repository, IndexKey key, Sealing.Kind logSealing, Sealing.Kind runSealing) {

    /** Header and salt: what every file begins with. */
    static final int PREAMBLE_BYTES = FileHeader.BYTES + IndexKey.SALT_BYTES;

    /** How errors name a file. */
    static String name(String file) {
        return "index/" + file;
    }

    /** The first bytes of a new file. */
    ByteBuffer preamble(long magic, int version, int number, byte[] salt) {
        return ByteBuffer.allocate(PREAMBLE_BYTES)
                .put(new FileHeader(magic, version, number, repository).encode())
                .put(salt)
                .flip();
    }

    /** Checks the header and returns the salt behind it. */
    byte[] readPreamble(ByteBuffer bytes, long magic, int version, int number, String file)
            throws DamagedDataException {
        new FileHeader(magic, version, number, repository).check(bytes, name(file));
        if (bytes.remaining() < PREAMBLE_BYTES) {
            throw new DamagedDataException(name(file), bytes.remaining(), "ends inside its salt");
        }
        byte[] salt = new byte[IndexKey.SALT_BYTES];
        bytes.get(bytes.position() + FileHeader.BYTES, salt);
        return salt;
    }

    Sealing logSealing(byte[] salt, int number) {
        return logSealing.with(key.fileKey(salt, "log", repository, number));
    }

    Sealing runSealing(byte[] salt, int number) {
        return runSealing.with(key.fileKey(salt, "run", repository, number));
    }

    /** Whatever the others are, the manifest is encrypted: it holds nothing that could be slow. */
    Sealing manifestSealing(byte[] salt) {
        return new AesGcmSealing(key.fileKey(salt, "manifest", repository, 0));
    }

    /** Opens a file that the manifest names. */
    IndexFolder.File open(String file) throws IOException {
        if (!folder.names().contains(file)) {
            throw new DamagedDataException(name(file), 0, "the file is missing");
        }
        return folder.open(file);
    }

    /** Reads so many bytes; a file that ends before is damaged. */
    static byte[] read(IndexFolder.File from, String file, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        try {
            from.read(ByteBuffer.wrap(bytes), offset);
        } catch (EOFException e) {
            throw new DamagedDataException(name(file), from.size(), "ends too early");
        }
        return bytes;
    }
}
