// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

/** There is a manifest, but it doesn't describe the file as it is now. The message is a clause that says why. */
public final class StaleManifestException extends Exception {

    private static final long serialVersionUID = 1L;

    StaleManifestException(String why) {
        super(why);
    }
}
