// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

/** What happens to a block of lines at one place of a text. */
public enum Edit {
    /** Other lines of about as many bytes take their place. */
    REWRITE,
    /** New lines of as many bytes come before them. */
    INSERT,
    /** They go. */
    DELETE,
    /** They move further back. */
    MOVE
}
