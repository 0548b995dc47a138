// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The files of one index. What is written survives a power loss once {@link File#force} returned, a name once
 * {@link #force} did; before, any part of it may. The tests' folder takes its power away at every call.
 */
interface IndexFolder {

    /** The names of all files. */
    List<String> names() throws IOException;

    /** Makes a file, or empties one. */
    File create(String name) throws IOException;

    /** Opens a file that exists. */
    File open(String name) throws IOException;

    /** Renames a file, over another if there is one: old whole or new whole. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file; it stays readable where it is open. */
    void delete(String name) throws IOException;

    /** Makes names durable: files made, renamed and deleted. */
    void force() throws IOException;

    /** An open file. Any number of threads may read. */
    interface File extends Closeable {

        long size() throws IOException;

        /** Fills {@code target} from {@code offset} on; a file that ends before throws {@link java.io.EOFException}. */
        void read(ByteBuffer target, long offset) throws IOException;

        /** Writes all remaining bytes. */
        void write(ByteBuffer bytes, long offset) throws IOException;

        void truncate(long size) throws IOException;

        void force() throws IOException;
    }
}
