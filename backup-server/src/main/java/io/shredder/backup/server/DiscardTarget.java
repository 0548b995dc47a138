// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

/** Nowhere: a restore to it proves that the image could be restored. */
final class DiscardTarget implements RestoreTarget {

    @Override
    public void write(byte[] bytes) {}

    @Override
    public void writeZeros(long count) {}

    @Override
    public void commit() {}

    @Override
    public void close() {}
}
