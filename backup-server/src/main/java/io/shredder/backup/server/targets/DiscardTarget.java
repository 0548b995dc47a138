// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import java.nio.ByteBuffer;

/** Nowhere: a restore to it proves that the image could be restored. */
public final class DiscardTarget implements RestoreTarget {

    @Override
    public boolean takesAnyOrder() {
        return true;
    }

    @Override
    public boolean writesWait() {
        return false;
    }

    @Override
    public void write(long position, ByteBuffer bytes) {}

    @Override
    public void writeZeros(long position, long count) {}

    @Override
    public void commit(long imageBytes) {}

    @Override
    public void close() {}
}
