// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionFactory;

/**
 * Opens connections to an object store, each a {@link BufferedConnection}.
 *
 * @param proxy as the environment or Java's properties say, without a host if they don't
 * @param sockets for TLS; connections of others are not used again
 * @param silence how long the object store may send no byte of an answer, or take nothing of a request
 */
record S3ConnectionFactory(ProxyConfiguration proxy, BreakableSockets sockets, Duration silence)
        implements UrlConnectionFactory {

    private static final Duration CONNECT = Duration.ofSeconds(10);

    @Override
    public HttpURLConnection createConnection(URI address) {
        try {
            HttpURLConnection opened = open(address);
            if (opened instanceof HttpsURLConnection secured) {
                secured.setSSLSocketFactory(sockets);
            }
            opened.setConnectTimeout(Math.toIntExact(CONNECT.toMillis()));
            opened.setReadTimeout(Math.toIntExact(silence.toMillis()));
            return new BufferedConnection(opened, silence);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpURLConnection open(URI address) throws IOException {
        if (!isByProxy(address.getHost())) {
            return (HttpURLConnection) address.toURL().openConnection();
        }
        Proxy between = new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.host(), proxy.port()));
        HttpURLConnection opened = (HttpURLConnection) address.toURL().openConnection(between);
        if (proxy.username() != null && proxy.password() != null) {
            byte[] words = (proxy.username() + ":" + proxy.password()).getBytes(StandardCharsets.UTF_8);
            opened.setRequestProperty(
                    "Proxy-Authorization", "Basic " + Base64.getEncoder().encodeToString(words));
        }
        return opened;
    }

    private boolean isByProxy(@Nullable String host) {
        return host != null
                && proxy.host() != null
                && proxy.nonProxyHosts().stream().noneMatch(pattern -> host.matches(pattern));
    }
}
