// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import io.shredder.backup.keepers.KeepersState;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps files by name. A name is a path of the storage's own, such as {@code containers/00000/00000001.container};
 * folders come by themselves. What durable means: it is there whatever process or machine dies next. Safe for any
 * number of threads, as long as only one changes a file. {@code toString} says for messages where the files are.
 *
 * <p>A file whose name is not there: {@link java.nio.file.NoSuchFileException}.
 */
public interface Storage extends Closeable {

    /** All files below a folder, in any order; none if the folder isn't there. */
    List<StoredFile> list(String folder) throws IOException;

    /** Opens a file for reading. */
    ReadableFile open(String file) throws IOException;

    /**
     * Makes a file that begins with these bytes, instead of one that an earlier attempt left. Its name is durable, or
     * will be with the first {@link AppendableFile#force}: {@link AppendableFile#beganDurably}.
     */
    AppendableFile create(String file, ByteBuffer head) throws IOException;

    /**
     * Goes on appending to a file of this length that was closed, or whose writer died.
     *
     * @return empty where that can't be done
     */
    Optional<AppendableFile> resume(String file, long bytes) throws IOException;

    /** Whether {@link #resume} can be done; if not, each start of an agent begins a file, or even each commit. */
    boolean resumes();

    /** Whether several files should grow beside each other, so that one takes more while another is forced. */
    default boolean growsSideBySide() {
        return resumes();
    }

    /**
     * How many files, beyond those that are listed when the storage is opened, may still come to be there of a writer
     * that died: so many numbers are left out.
     */
    default int lateFiles() {
        return 0;
    }

    /**
     * Whose having the storage open this is, where files tell in which they were written: {@link #writer}. Such a
     * storage may get what a writer that died had on its way after the next one has listed it.
     */
    default Optional<UUID> hold() {
        return Optional.empty();
    }

    /** In which hold a file was written; empty if that can't be told. */
    default Optional<UUID> writer(String file) throws IOException {
        return Optional.empty();
    }

    /**
     * Settles the length of a file whose writer may have died with it open. To be called before it is read or forced.
     */
    void endWriting(String file) throws IOException;

    /** Makes contents and name of a file durable that nobody appends to. */
    void force(String file) throws IOException;

    /** Takes all from a file that lies behind its first {@code bytes}, durably. Nobody may append to it. */
    void cut(String file, long bytes) throws IOException;

    /** Deletes a file, durably. */
    void delete(String file) throws IOException;

    /**
     * Takes a whole, forced file of the agent's own disk under this name: old whole or new whole, durably. Takes it
     * away from where it was, or leaves it there. What a writer that died left under this name is replaced.
     */
    void publish(Path whole, String file) throws IOException;

    /** Writes a small file: old whole or new whole, durably. */
    void replace(String file, ByteBuffer bytes) throws IOException;

    /** A small file's bytes; empty if it isn't there. */
    Optional<ByteBuffer> read(String file) throws IOException;

    /** A file's length. */
    long size(String file) throws IOException;

    /** When a file was last written, by the storage's clock. */
    Instant lastModified(String file) throws IOException;

    /** Where a file lies, if that is a disk of this machine. */
    default Optional<Path> local(String file) {
        return Optional.empty();
    }

    /** Whether nothing here may be changed. */
    default boolean isReadOnly() {
        return false;
    }

    /** Whether a file can't be deleted by anybody for a while after it was written, or {@link #protect protected}. */
    default boolean protects() {
        return false;
    }

    /** Protects a file from now on for as long as one that is written now. Nothing happens if it isn't there. */
    default void protect(String file) throws IOException {}

    /** What was asked so far of a storage that is paid by the request. */
    default Optional<RequestCounts> requests() {
        return Optional.empty();
    }

    /** How the keepers stand that it is spread over; empty if it isn't. */
    default Optional<KeepersState> keepersState() throws IOException {
        return Optional.empty();
    }

    /** How many bytes can still be added. */
    long usableBytes() throws IOException;
}
