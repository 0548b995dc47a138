// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.powerloss;

/**
 * Something that was done to a disk. Files and folders are numbers, as inodes are: a name may come to stand for
 * another. Names are paths under the recorded folder.
 */
public sealed interface DiskChange {

    /** A file appears under a name. */
    record Create(String name, int file) implements DiskChange {}

    /** Bytes of a file are written. */
    record Write(int file, long at, byte[] bytes) implements DiskChange {}

    /** A file gets another length; what is new is zeros. */
    record Truncate(int file, long bytes) implements DiskChange {}

    /** All that was written to a file before is durable. */
    record ForceFile(int file) implements DiskChange {}

    /** A folder appears. */
    record MakeFolder(String name) implements DiskChange {}

    /** A name moves, over another if there is one. */
    record Rename(String from, String to) implements DiskChange {}

    /** A name goes. */
    record Delete(String name) implements DiskChange {}

    /** The names in a folder are durable: those that appeared, those that went. */
    record ForceFolder(String name) implements DiskChange {}

    /** Not a change: the agent has promised something to a client, or begins what it will promise. */
    record Mark(Object what) implements DiskChange {}
}
