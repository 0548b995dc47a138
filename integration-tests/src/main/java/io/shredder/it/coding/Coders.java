// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import java.io.IOException;
import java.util.List;

/** Erasure coders that can be asked. One thread's. */
public interface Coders extends AutoCloseable {
    /** The names of those that are here. */
    List<String> names();

    /**
     * The digest of the parity that one of them computes, as 16 hexadecimal digits.
     *
     * @throws RefusedException if it can't code this
     */
    String digest(String name, DigestCase asked) throws IOException, RefusedException;

    /**
     * Its rate in GB/s of data, parity not counted.
     *
     * @throws RefusedException if it can't code this
     */
    double rate(String name, RateCase asked) throws IOException, RefusedException;

    @Override
    void close();

    /** A coder can't do what it was asked for. */
    final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String reason) {
            super(reason);
        }
    }
}
