// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

/** How a file stands to its manifest, or to a listing of digests, the worst first. */
enum ProofState {
    /** Nobody wrote to the file since its manifest or listing, and it or the manifest is broken. */
    DAMAGED("damaged"),
    /** Something could not be read. */
    FAILED("failed"),
    /** The manifest is not of this content. */
    STALE("stale"),
    /** Listed, and gone. */
    MISSING("missing"),
    /** Listed, written to since, and of another content. */
    CHANGED("changed"),
    NO_MANIFEST("noManifest"),
    NOT_LISTED("notListed"),
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
        return compareTo(NO_MANIFEST) < 0;
    }
}
