// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import java.time.Duration;

/**
 * How much of a keeper its clients may take, whatever they do.
 *
 * @param connections at once of those that have shown a certificate with the right
 * @param strangers at once that have shown none yet: beyond it, the oldest ends
 * @param handshake within which a connection must have come to its first frame
 * @param silence after which a connection ends whose client says nothing, or takes no answer
 */
public record KeepLimits(int connections, int strangers, Duration handshake, Duration silence) {

    /** Limits that suit most keepers. */
    public static KeepLimits usual() {
        return new KeepLimits(32, 64, Duration.ofSeconds(10), Duration.ofSeconds(45));
    }

    /** The same for another silence. */
    public KeepLimits withSilence(Duration longest) {
        return new KeepLimits(connections, strangers, longest.compareTo(handshake) < 0 ? longest : handshake, longest);
    }
}
