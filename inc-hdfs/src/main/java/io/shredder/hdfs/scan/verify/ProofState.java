// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

/** How a file stands to its manifest, the worst first. */
enum ProofState {
    /** There is a manifest of the file as it is, and the file or the manifest is broken. */
    DAMAGED("damaged"),
    /** Something could not be read. */
    FAILED("failed"),
    /** The manifest is not of this content. */
    STALE("stale"),
    NO_MANIFEST("noManifest"),
    VERIFIED("verified");

    private final String fieldName;

    ProofState(String fieldName) {
        this.fieldName = fieldName;
    }

    /** In JSON. */
    String fieldName() {
        return fieldName;
    }

    /** Whether the command is to say so by its exit code. */
    boolean isBad() {
        return this == DAMAGED || this == FAILED || this == STALE;
    }
}
