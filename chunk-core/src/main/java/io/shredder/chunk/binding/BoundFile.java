// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import io.shredder.chunk.Fingerprint;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A file of HDFS, as whoever looks for its manifest asks for it. What doesn't throw was asked before; the rest asks the
 * file system when it is called. Used by one thread.
 */
public interface BoundFile {

    /** Its name, without its folder. */
    String name();

    /** Its inode id. */
    long fileId();

    /** Its length in bytes. */
    long lengthBytes();

    /** The block size that it was written with, in bytes. */
    long preferredBlockBytes();

    /** The lengths of its blocks in bytes, in order. */
    List<Long> blockLengths() throws IOException;

    /** {@link BlockLayout#digest()} of its blocks; asked for only if an attribute names one. */
    Fingerprint blockDigest() throws IOException;

    /**
     * The value of its extended attribute of this name; empty if it has none.
     *
     * @throws IOException also if the file system has attributes switched off; a reader that goes on then relies on
     *     lengths alone, so one that must not takes it for none
     */
    Optional<byte[]> attribute(String name) throws IOException;

    /**
     * Reads the file of this name in the same folder, as {@link ManifestFile#read} does.
     *
     * @throws FileNotFoundException if there is none
     */
    ManifestFile sibling(String siblingName) throws IOException;

    /**
     * Reads the file with this inode id, wherever it is, as {@link ManifestFile#read} does.
     *
     * @throws FileNotFoundException if there is none, if only a snapshot has it, or if it may not be opened
     */
    ManifestFile inode(long id) throws IOException;
}
