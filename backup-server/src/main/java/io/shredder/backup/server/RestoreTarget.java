// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.Closeable;
import java.io.IOException;

/** Where a restored image goes, first byte to last. Closing it without {@link #commit} leaves nothing behind. One thread. */
interface RestoreTarget extends Closeable {

    /** The image will have this length: refused before the first byte if there is no room for it, where that can be told. */
    default void expect(long imageBytes) throws IOException {}

    /** Takes the next bytes. */
    void write(byte[] bytes) throws IOException;

    /** Takes the next {@code count} bytes, all of them 0. */
    void writeZeros(long count) throws IOException;

    /** All is written and proved: make it visible, and durable where that was asked for. */
    void commit() throws IOException;
}
