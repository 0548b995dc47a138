// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.util.function.IntPredicate;

/**
 * What an NBD server may be asked to tell of an export, by the NBD project's {@code doc/proto.md} and QEMU's {@code
 * docs/interop/nbd.rst}.
 *
 * @param name of the metadata context
 * @param counts whether a range with this state is one of those that are asked for
 */
record NbdContext(String name, IntPredicate counts) {

    private static final int STATE_ZERO = 2;
    private static final int STATE_DIRTY = 1;

    /** What is not zero. */
    static NbdContext data() {
        return new NbdContext("base:allocation", state -> (state & STATE_ZERO) == 0);
    }

    /** What a dirty bitmap of QEMU's has marked. */
    static NbdContext dirty(String bitmap) {
        return new NbdContext("qemu:dirty-bitmap:" + bitmap, state -> (state & STATE_DIRTY) != 0);
    }
}
