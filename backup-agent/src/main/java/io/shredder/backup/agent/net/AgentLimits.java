// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.wire.WireFormat;
import java.time.Duration;

/**
 * How much of an agent its clients may take, whatever they do. A client is who its certificate says: all connections
 * with one name share what is its.
 *
 * @param connections of all clients at once
 * @param newcomers beside those, clients that have no connection yet and get one
 * @param connectionsEach of one client at once
 * @param strangers connections at once whose peer has not shown a certificate yet: beyond it, the oldest ends
 * @param handshake within which a connection must have come to its first frame
 * @param silence after which a connection ends whose client sends nothing though something is due, or takes no answer
 * @param idle after which a connection ends that asks nothing
 * @param requestBytes memory for requests until they are answered
 * @param workBytes memory for what is being answered, until clients have taken it
 */
public record AgentLimits(
        int connections,
        int newcomers,
        int connectionsEach,
        int strangers,
        Duration handshake,
        Duration silence,
        Duration idle,
        long requestBytes,
        long workBytes) {

    /** Least memory of either kind: two clients have room for the largest request at once. */
    private static final long LEAST_BYTES = 6L * WireFormat.MAX_BODY_BYTES;

    private static final int CONNECTIONS = 64;
    private static final int NEWCOMERS = 192;

    /** Of the heap, for each of the two. */
    private static final int HEAP_SHARE = 4;

    /** Limits that suit most agents; memory by the size of this program's heap. */
    public static AgentLimits usual() {
        long bytes = Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        return new AgentLimits(
                CONNECTIONS,
                NEWCOMERS,
                16,
                128,
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                Duration.ofHours(6),
                bytes,
                bytes);
    }

    /** The same for other numbers of connections. */
    public AgentLimits withConnections(int all, int beside, int each) {
        return new AgentLimits(all, beside, each, strangers, handshake, silence, idle, requestBytes, workBytes);
    }

    /** The same for other times. */
    public AgentLimits withTimes(Duration longestSilence, Duration longestIdle) {
        Duration first = longestSilence.compareTo(handshake) < 0 ? longestSilence : handshake;
        return new AgentLimits(
                connections,
                newcomers,
                connectionsEach,
                strangers,
                first,
                longestSilence,
                longestIdle,
                requestBytes,
                workBytes);
    }
}
