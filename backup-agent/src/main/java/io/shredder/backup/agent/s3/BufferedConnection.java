// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is given a request's body in large pieces. Amazon's client writes 4 KiB at a time, and Java's
 * connection sends each as a TLS record of its own: a quarter of what a byte costs here, and some of what it costs the
 * object store. It does all else as the connection that it is made of, as far as Amazon's client asks; but who takes
 * nothing of a body for a while is given up: {@link WatchedBody}.
 */
final class BufferedConnection extends HttpURLConnection {

    /** Eight of the longest TLS records. */
    private static final int PIECE_BYTES = 1 << 17;

    private final HttpURLConnection connection;
    private final Duration silence;
    private @Nullable OutputStream body;

    /** @param silence see {@link WatchedBody} */
    BufferedConnection(HttpURLConnection connection, Duration silence) {
        super(connection.getURL());
        this.connection = connection;
        this.silence = silence;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        OutputStream open = body;
        if (open == null) {
            open = new BufferedOutputStream(new WatchedBody(connection, silence), PIECE_BYTES);
            body = open;
        }
        return open;
    }

    /** The request is whole by now. */
    private void send() throws IOException {
        if (body != null) {
            body.flush();
        }
    }

    @Override
    public int getResponseCode() throws IOException {
        send();
        return connection.getResponseCode();
    }

    @Override
    public String getResponseMessage() throws IOException {
        send();
        return connection.getResponseMessage();
    }

    @Override
    public InputStream getInputStream() throws IOException {
        send();
        return connection.getInputStream();
    }

    @Override
    public InputStream getErrorStream() {
        return connection.getErrorStream();
    }

    @Override
    public String getHeaderField(String name) {
        return connection.getHeaderField(name);
    }

    @Override
    public Map<String, List<String>> getHeaderFields() {
        return connection.getHeaderFields();
    }

    @Override
    public void setRequestMethod(String method) throws ProtocolException {
        connection.setRequestMethod(method);
    }

    @Override
    public String getRequestMethod() {
        return connection.getRequestMethod();
    }

    @Override
    public void setRequestProperty(String name, String value) {
        connection.setRequestProperty(name, value);
    }

    @Override
    public void addRequestProperty(String name, String value) {
        connection.addRequestProperty(name, value);
    }

    @Override
    public void setFixedLengthStreamingMode(long bytes) {
        connection.setFixedLengthStreamingMode(bytes);
    }

    @Override
    public void setFixedLengthStreamingMode(int bytes) {
        connection.setFixedLengthStreamingMode(bytes);
    }

    @Override
    public void setChunkedStreamingMode(int bytes) {
        connection.setChunkedStreamingMode(bytes);
    }

    @Override
    public void setDoOutput(boolean sends) {
        connection.setDoOutput(sends);
    }

    @Override
    public void setInstanceFollowRedirects(boolean follows) {
        connection.setInstanceFollowRedirects(follows);
    }

    @Override
    public void setConnectTimeout(int ms) {
        connection.setConnectTimeout(ms);
    }

    @Override
    public void setReadTimeout(int ms) {
        connection.setReadTimeout(ms);
    }

    @Override
    public void connect() throws IOException {
        connection.connect();
    }

    @Override
    public void disconnect() {
        connection.disconnect();
    }

    @Override
    public boolean usingProxy() {
        return connection.usingProxy();
    }
}
