// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

/** A draft is published or dropped, so that its files can't be read any more. No error of any other file is one. */
public final class DraftEndedException extends Exception {

    private static final long serialVersionUID = 1L;

    DraftEndedException() {
        super("the snapshot that was being received is published or dropped");
    }
}
