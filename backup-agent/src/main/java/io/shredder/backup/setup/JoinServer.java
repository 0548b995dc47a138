// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import io.shredder.backup.setup.JoinMessage.Joined;
import io.shredder.backup.setup.JoinMessage.Request;
import io.shredder.backup.wire.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the one machine that has a token, certifies its key, and is done. Others are refused: a few at a time,
 * each within a minute, and after {@link #MOST_WRONG} wrong secrets nobody is asked any more.
 */
public final class JoinServer implements Closeable {

    /** Makes a certificate for a key. */
    public interface Authority {
        /** Signs. */
        X509Certificate certify(PublicKey key) throws IOException;
    }

    /**
     * Who is behind the listener.
     *
     * @param certificate for the names that it is called by
     * @param key its private key
     * @param authority who signed it
     * @param agent where its agent listens
     */
    public record Identity(X509Certificate certificate, PrivateKey key, X509Certificate authority, HostPort agent) {}

    /**
     * A machine that joined.
     *
     * @param from its address
     * @param certificate what it is from now on
     */
    public record Guest(String from, X509Certificate certificate) {}

    static final int MOST_WRONG = 10;
    private static final Logger LOG = LoggerFactory.getLogger(JoinServer.class);
    private static final int MOST_AT_ONCE = 64;
    /** A slow machine starts Java's TLS in this time, too. */
    private static final int CONNECTION_MS = 60_000;

    private static final char[] NO_PASSWORD = new char[0];

    private final SSLServerSocket listener;
    private final JoinToken token;
    private final Identity identity;
    private final Authority signer;
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);
    private final CompletableFuture<Guest> guest = new CompletableFuture<>();
    private int wrong;
    private boolean given;

    private JoinServer(SSLServerSocket listener, JoinToken token, Identity identity, Authority signer) {
        this.listener = listener;
        this.token = token;
        this.identity = identity;
        this.signer = signer;
    }

    /** Listens, and answers from threads of its own until it is closed. */
    public static JoinServer start(HostPort listen, Identity identity, JoinToken token, Authority signer)
            throws IOException {
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            Certificate[] chain = {identity.certificate(), identity.authority()};
            keys.setKeyEntry("identity", identity.key(), NO_PASSWORD, chain);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, NO_PASSWORD);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(factory.getKeyManagers(), null, null);
            SSLServerSocket listener =
                    (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
            listener.setReuseAddress(true);
            listener.setEnabledProtocols(new String[] {"TLSv1.3"});
            listener.bind(listen.address());
            JoinServer server = new JoinServer(listener, token, identity, signer);
            Thread acceptor = new Thread(server::accept, "join-accept");
            acceptor.setDaemon(true);
            acceptor.start();
            return server;
        } catch (GeneralSecurityException e) {
            throw new IOException("can't wait for a join: " + e.getMessage(), e);
        } catch (SocketException e) {
            throw new IOException("can't listen on " + listen + ": " + e.getMessage() + ": choose another port", e);
        }
    }

    /** Where it listens. */
    public int port() {
        return listener.getLocalPort();
    }

    /**
     * The machine that joined; empty if none did in time.
     *
     * @throws UndeliveredException if one was to, and its certificate did not get there
     */
    public Optional<Guest> await(Duration patience) throws IOException, InterruptedException {
        try {
            return Optional.of(guest.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
        }
    }

    private void accept() {
        try {
            while (!guest.isDone()) {
                SSLSocket socket = (SSLSocket) listener.accept();
                if (!places.tryAcquire()) {
                    socket.close();
                    continue;
                }
                Thread answerer = new Thread(() -> answer(socket), "join-answer");
                answerer.setDaemon(true);
                answerer.start();
            }
        } catch (IOException e) {
            guest.completeExceptionally(new IOException("does not listen any more: " + e.getMessage(), e));
        }
    }

    private void answer(SSLSocket socket) {
        String from = address(socket);
        // A client that sends a byte now and then is cut off as well.
        var tooLate = CompletableFuture.runAsync(
                () -> close(socket), CompletableFuture.delayedExecutor(CONNECTION_MS, TimeUnit.MILLISECONDS));
        try (socket) {
            socket.setSoTimeout(CONNECTION_MS);
            converse(socket, from);
        } catch (IOException | GeneralSecurityException e) {
            LOG.warn("{} did not join: {}", from, e.getMessage());
        } finally {
            tooLate.cancel(false);
            places.release();
        }
    }

    private void converse(SSLSocket socket, String from) throws IOException, GeneralSecurityException {
        Request request;
        try {
            request = JoinMessage.readRequest(socket.getInputStream());
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            JoinMessage.writeRefusal(socket.getOutputStream(), String.valueOf(e.getMessage()));
            throw e;
        }
        if (!isFirst(request)) {
            JoinMessage.writeRefusal(socket.getOutputStream(), "the token is not of this invitation, or is used up");
            throw new IOException("it showed another secret, or one that is used up");
        }
        Joined joined;
        try {
            joined = new Joined(signer.certify(request.key()), identity.authority(), identity.agent());
        } catch (IOException e) {
            JoinMessage.writeRefusal(socket.getOutputStream(), "it could not sign; its own output says why");
            guest.completeExceptionally(e);
            throw e;
        }
        try {
            JoinMessage.writeJoined(socket.getOutputStream(), joined);
        } catch (IOException e) {
            guest.completeExceptionally(new UndeliveredException(from, joined.certificate(), e));
            throw e;
        }
        guest.complete(new Guest(from, joined.certificate()));
    }

    /** A secret is good once, whatever becomes of the connection. */
    private synchronized boolean isFirst(Request request) {
        if (!given && wrong < MOST_WRONG && token.hasSecret(request.secret())) {
            given = true;
            return true;
        }
        wrong++;
        if (wrong == MOST_WRONG && !given) {
            guest.completeExceptionally(new IOException(
                    "somebody has tried " + MOST_WRONG + " wrong secrets: nobody joined; invite again"));
        }
        return false;
    }

    private static String address(Socket socket) {
        InetSocketAddress address = (InetSocketAddress) socket.getRemoteSocketAddress();
        return address == null ? "somebody" : address.getAddress().getHostAddress();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a connection", e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
