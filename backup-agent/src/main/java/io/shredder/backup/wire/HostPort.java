// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import java.net.InetSocketAddress;

/**
 * Where an agent listens.
 *
 * @param host name or address
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {

    /** Refuses empty hosts and ports out of range. */
    public HostPort {
        if (host.isEmpty() || port < 0 || port > 65_535) {
            throw new IllegalArgumentException("'" + host + ":" + port + "' is not HOST:PORT, such as localhost:7420");
        }
    }

    /** Reads {@code HOST:PORT}; an IPv6 address stands in brackets. */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            return new HostPort(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT, such as localhost:7420", e);
        }
    }

    /** Resolved, if the name is known. */
    public InetSocketAddress address() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
