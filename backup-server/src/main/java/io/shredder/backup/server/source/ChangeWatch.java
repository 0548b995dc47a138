// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.util.Optional;

/** Remembers how an image's files or device were when it was opened. */
@FunctionalInterface
interface ChangeWatch {

    /** How they have changed since, in at most 128 bytes; empty if they have not, as far as can be seen. */
    Optional<String> change() throws IOException;
}
