// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import com.google.common.base.Throwables;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.shredder.backup.client.AgentException.Kind;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.DamagedDataException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Turns what Netty and TLS throw into one line that says what to do. */
final class ConnectionErrors {

    private final HostPort agent;
    private final TlsFiles tls;

    ConnectionErrors(HostPort agent, TlsFiles tls) {
        this.agent = agent;
        this.tls = tls;
    }

    /** The agent closed the connection without a word. */
    AgentException closed(boolean greeted) {
        String text = greeted
                ? "agent " + agent + " closed the connection: see its log, and run again when it is back"
                : "agent " + agent + " closed the connection before its greeting: most likely it doesn't accept "
                        + tls.certificate() + "; its log says why";
        return new AgentException(greeted ? Kind.UNREACHABLE : Kind.CERTIFICATE, text, new java.io.EOFException());
    }

    /** The agent, or the way to it, hangs. */
    AgentException silent(Optional<FrameType> awaited, Duration silence) {
        String what = awaited.map(request -> " while the answer to " + request + " was due")
                .orElse("");
        String text = "agent " + agent + " has been silent for " + seconds(silence) + what
                + ": see that it runs and can be reached, then run again; if it is only slow, with a longer --timeout";
        return new AgentException(Kind.UNREACHABLE, text, new java.io.InterruptedIOException());
    }

    /** Somebody listens there, but no connection came of it. */
    AgentException notGreeted(Duration waited) {
        String text = "agent " + agent + " didn't greet within " + seconds(waited)
                + " of being connected to: see that it runs and can be reached, then run again";
        return new AgentException(Kind.UNREACHABLE, text, new java.io.InterruptedIOException());
    }

    private static String seconds(Duration time) {
        return Math.max(1, time.toSeconds()) + " s";
    }

    AgentException of(Throwable error) {
        for (Throwable cause : Throwables.getCausalChain(error)) {
            if (cause instanceof AgentException known) {
                return known;
            } else if (cause instanceof DamagedDataException) {
                return new AgentException(Kind.PROTOCOL, String.valueOf(cause.getMessage()), error);
            }
        }
        Throwable root = Throwables.getRootCause(error);
        if (root instanceof SslHandshakeTimeoutException) {
            return new AgentException(
                    Kind.UNREACHABLE,
                    "agent " + agent + " didn't finish the TLS handshake (" + brief(root)
                            + "): see that it runs and can be reached, then run again",
                    error);
        } else if (root instanceof ConnectException || root instanceof UnknownHostException) {
            return new AgentException(
                    Kind.UNREACHABLE,
                    "can't reach agent " + agent + " (" + brief(root) + "): is 'backup-agent serve' running there?",
                    error);
        } else if (error instanceof NotSslRecordException || root instanceof NotSslRecordException) {
            return certificate("agent " + agent + " doesn't speak TLS: is this the agent's port?", error);
        } else if (isTls(error)) {
            return certificate(tlsText(root), error);
        }
        return new AgentException(
                Kind.UNREACHABLE,
                "lost the connection to agent " + agent + " (" + brief(root) + "): run again when it is back",
                error);
    }

    private String tlsText(Throwable root) {
        String text = brief(root);
        String lower = text.toLowerCase(Locale.ROOT);
        if (root instanceof CertificateExpiredException || root instanceof CertificateNotYetValidException) {
            return "the certificate of agent " + agent + " is not valid now (" + text
                    + "): look at both clocks, or make a new one with 'backup-agent certs'";
        } else if (lower.contains("fatal alert") || lower.contains("_alert_")) {
            return "agent " + agent + " doesn't accept the certificate " + tls.certificate() + " (" + text
                    + "): it must be a client's, signed by the agent's --ca, and not expired";
        } else if (lower.contains("subject alternative") || lower.contains("no name matching")) {
            return "the certificate of agent " + agent + " is for another host (" + text
                    + "): make one with 'backup-agent certs --agent-host " + agent.host() + "'";
        } else if (lower.contains("certification path") || lower.contains("chain") || lower.contains("signature")) {
            return "agent " + agent + " is not signed by " + tls.authority() + " (" + text
                    + "): use the --ca that signed the agent's certificate";
        }
        return "no TLS connection to agent " + agent + ": " + text;
    }

    private static boolean isTls(Throwable error) {
        return Throwables.getCausalChain(error).stream().anyMatch(SSLException.class::isInstance);
    }

    private static AgentException certificate(String text, Throwable error) {
        return new AgentException(Kind.CERTIFICATE, text, error);
    }

    private static String brief(Throwable error) {
        String text = String.valueOf(error.getMessage());
        int lineEnd = text.indexOf('\n');
        return lineEnd < 0 ? text : text.substring(0, lineEnd);
    }
}
