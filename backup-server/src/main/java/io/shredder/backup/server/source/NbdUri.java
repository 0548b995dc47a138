// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.util.Locale;

/**
 * Where an NBD export is, by the specification of NBD URIs: {@code nbd://HOST[:PORT]/EXPORT} or {@code
 * nbd+unix:///EXPORT?socket=PATH}. The export's name may be empty: the server's default one.
 *
 * @param text as it was given
 * @param server to connect to
 * @param export its name there
 */
public record NbdUri(String text, SocketAddress server, String export) {

    /** The port that IANA gave NBD. */
    private static final int DEFAULT_PORT = 10809;

    private static final String SOCKET = "socket=";

    /** Whether this text is meant to be one. */
    public static boolean looksLike(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.startsWith("nbd:") || lower.startsWith("nbd+") || lower.startsWith("nbds");
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public static NbdUri parse(String text) {
        try {
            URI uri = new URI(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (scheme.equals("nbd") && uri.getHost() != null && uri.getRawQuery() == null) {
                int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
                return new NbdUri(text, new InetSocketAddress(hostOf(uri), port), exportOf(uri));
            } else if (scheme.equals("nbd+unix")
                    && uri.getQuery() != null
                    && uri.getQuery().startsWith(SOCKET)) {
                String socket = uri.getQuery().substring(SOCKET.length());
                return new NbdUri(text, UnixDomainSocketAddress.of(socket), exportOf(uri));
            } else if (scheme.startsWith("nbds")) {
                throw new IllegalArgumentException("'" + text
                        + "' asks for TLS, which is not supported: use a Unix socket, or a tunnel and nbd://localhost");
            }
        } catch (URISyntaxException e) {
            throw wrong(text, e);
        }
        throw wrong(text, null);
    }

    private static String hostOf(URI uri) {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static String exportOf(URI uri) {
        String path = uri.getPath();
        return path == null || path.isEmpty() ? "" : path.substring(1);
    }

    private static IllegalArgumentException wrong(
            String text, @org.jspecify.annotations.Nullable URISyntaxException cause) {
        return new IllegalArgumentException(
                "'" + text + "' is not an NBD address: use nbd://HOST:PORT/EXPORT or nbd+unix:///EXPORT?socket=PATH",
                cause);
    }

    @Override
    public String toString() {
        return text;
    }
}
