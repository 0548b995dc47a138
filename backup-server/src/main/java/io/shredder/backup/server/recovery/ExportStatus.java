// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * How a snapshot that somebody wants opened stands.
 *
 * @param number among those of this daemon since it began
 * @param order what was wanted
 * @param state whether it can be read
 * @param until when it closes by itself
 * @param uri what names it to NBD clients, while it is open
 * @param reason why it is not open any more, or never was
 */
public record ExportStatus(
        long number, ExportOrder order, State state, Instant until, Optional<String> uri, Optional<String> reason) {

    /** Whether it can be read. */
    public enum State {
        /** Not yet. */
        OPENING,
        /** It can. */
        OPEN,
        /** No more. */
        CLOSED,
        /** It never could. */
        FAILED;

        /** As the API calls it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
