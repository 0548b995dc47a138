// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of a {@link Storage} that grows at its end. One thread at a time. Closing it promises nothing that
 * {@link #force} didn't.
 */
public interface AppendableFile extends Closeable {

    /** Appends all that remains. If it fails, none of it is there, unless {@link #isSound} says no from then on. */
    void append(ByteBuffer bytes) throws IOException;

    /**
     * The same of two buffers, one behind the other. Where a file that failed to append stays sound, this is to be
     * overridden.
     */
    default void append(ByteBuffer first, ByteBuffer second) throws IOException {
        append(first);
        append(second);
    }

    /** Has the storage begin to make durable what was appended, without waiting for it. */
    void writeBehind() throws IOException;

    /**
     * Makes all that was appended durable. After a failure nothing is known about it any more. Where {@link #canGrow}
     * says no from then on, this has closed the file.
     */
    void force() throws IOException;

    /**
     * Has a {@link #force} begin without waiting for it, where it takes a while by itself, so that several files are
     * forced side by side. What goes wrong is told by the force that follows.
     */
    default void beginForce() {}

    /** Lets readers find all that was appended; may force it, too. */
    void show() throws IOException;

    /** Whether readers always find what was appended, so that nobody need {@link #show} it. */
    boolean showsAtOnce();

    /** Whether its name and its beginning are durable before the first {@link #force}. */
    default boolean beganDurably() {
        return true;
    }

    /** Whether more can be appended. */
    boolean canGrow();

    /** Whether it ends where the last append that succeeded did, and what was appended can still be made durable. */
    boolean isSound();
}
