// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

/** Who cuts and digests what is written, if anybody does. */
public enum Variant {
    /** Nobody: each block gets a random name, is asked for by nobody and sent. */
    NONE("none", "no digests"),
    /** One thread of the CPU. */
    CPU_1("cpu-1", "CPU, 1 thread"),
    /** All threads that the client may use. */
    CPU("cpu", "CPU, all threads"),
    /** The first GPU. */
    GPU("gpu", "GPU"),
    /** Cuts and digests of the very file, known before: what infinitely fast hashing would give. */
    ORACLE("oracle", "oracle");

    private final String word;
    private final String title;

    Variant(String word, String title) {
        this.word = word;
        this.title = title;
    }

    /** In rows. */
    String word() {
        return word;
    }

    /** In tables. */
    String title() {
        return title;
    }

    /** Whether blocks are named by their contents, so that what the store has isn't sent again. */
    boolean isAddressed() {
        return this != NONE;
    }
}
