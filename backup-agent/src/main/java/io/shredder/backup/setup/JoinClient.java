// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import io.shredder.backup.setup.JoinMessage.Joined;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Joins another machine: asks it, over TLS 1.3, to certify this one's key. The other side must show a certificate for
 * the host's name, signed by the authority that the token names; only then the secret is shown.
 */
public final class JoinClient {

    private JoinClient() {}

    /** Joins; waits for each step at most so long. */
    public static Joined join(JoinToken token, KeyPair keys, Duration patience) throws IOException {
        HostPort place = token.place();
        try (Socket plain = new Socket()) {
            if (place.address().isUnresolved()) {
                throw new UnknownHostException("the host " + place.host() + " is unknown");
            }
            plain.connect(place.address(), Math.toIntExact(patience.toMillis()));
            plain.setSoTimeout(Math.toIntExact(patience.toMillis()));
            try (SSLSocket tls = (SSLSocket)
                    context(token).getSocketFactory().createSocket(plain, place.host(), place.port(), true)) {
                tls.setEnabledProtocols(new String[] {"TLSv1.3"});
                SSLParameters parameters = tls.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                tls.setSSLParameters(parameters);
                tls.startHandshake();
                JoinMessage.writeRequest(tls.getOutputStream(), token.secret(), keys);
                Joined joined = JoinMessage.readJoined(tls.getInputStream());
                check(joined, token, keys);
                return joined;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("can't join " + place + ": " + e.getMessage(), e);
        } catch (SSLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    "can't join " + place + ", which doesn't prove that the token is its own: " + cause.getMessage(),
                    e);
        } catch (ConnectException | SocketTimeoutException e) {
            throw new IOException(
                    "can't join " + place + ": " + e.getMessage() + ": is 'backup-agent invite' waiting there?", e);
        } catch (IOException e) {
            throw new IOException("can't join " + place + ": " + e.getMessage(), e);
        }
    }

    private static void check(Joined joined, JoinToken token, KeyPair keys)
            throws GeneralSecurityException, IOException {
        boolean known = JoinToken.digest(joined.authority()).equals(token.authority());
        if (!known || !joined.certificate().getPublicKey().equals(keys.getPublic())) {
            throw new IOException("the answer certifies another key, or is of another authority");
        }
        joined.certificate().verify(joined.authority().getPublicKey());
    }

    private static SSLContext context(JoinToken token) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new Pinned(token.authority())}, null);
        return context;
    }

    /** Believes chains that end with the authority of this digest, and what that signed. */
    private static final class Pinned extends X509ExtendedTrustManager {

        private final String authority;

        Pinned(String authority) {
            this.authority = authority;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            usual(chain).checkServerTrusted(chain, type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            usual(chain).checkServerTrusted(chain, type, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("no connection to compare the certificate with");
        }

        private X509ExtendedTrustManager usual(X509Certificate[] chain) throws CertificateException {
            X509Certificate last = chain[chain.length - 1];
            try {
                if (!JoinToken.digest(last).equals(authority)) {
                    throw new CertificateException("it shows another authority than the token names");
                }
                KeyStore believed = KeyStore.getInstance("PKCS12");
                believed.load(null, null);
                believed.setCertificateEntry("authority", last);
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(believed);
                return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
            } catch (GeneralSecurityException | IOException e) {
                throw new CertificateException(e.getMessage(), e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("no client is believed here");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("no client is believed here");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("no client is believed here");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
