// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Makes TLS sockets that one thread can close while another waits for what it writes to be taken. Usual ones have the
 * closing thread wait, too, to say goodbye in its turn; one that is to linger for a time waits no longer than that.
 */
final class BreakableSockets extends SSLSocketFactory {

    private static final int LINGER_SECONDS = 1;

    private final SSLSocketFactory usual;

    /** @param usual makes the sockets */
    BreakableSockets(SSLSocketFactory usual) {
        this.usual = usual;
    }

    private static Socket breakable(Socket socket) throws IOException {
        socket.setSoLinger(true, LINGER_SECONDS);
        return socket;
    }

    @Override
    public Socket createSocket() throws IOException {
        return breakable(usual.createSocket());
    }

    @Override
    public Socket createSocket(Socket below, String host, int port, boolean closesIt) throws IOException {
        return breakable(usual.createSocket(below, host, port, closesIt));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return breakable(usual.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return breakable(usual.createSocket(host, port, from, fromPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return breakable(usual.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return breakable(usual.createSocket(host, port, from, fromPort));
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return usual.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return usual.getSupportedCipherSuites();
    }
}
