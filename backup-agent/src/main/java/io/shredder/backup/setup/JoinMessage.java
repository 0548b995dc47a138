// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.wire.HostPort;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * The two messages of a join, within TLS: a line of JSON each way, at most 16 KiB, bytes in base64;
 * docs/formats/join.md.
 */
public final class JoinMessage {

    private static final int VERSION = 1;
    private static final int MOST_BYTES = 16 << 10;
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final ObjectMapper JSON = new ObjectMapper();

    private JoinMessage() {}

    /**
     * Who asks.
     *
     * @param secret as it was shown
     * @param key is to be certified; the asker has its private half, which is proved
     */
    public record Request(String secret, PublicKey key) {}

    /**
     * What a machine is from now on.
     *
     * @param certificate its own
     * @param authority who signed that, and signs whom it believes
     * @param agent where the agent listens
     */
    public record Joined(X509Certificate certificate, X509Certificate authority, HostPort agent) {}

    /** Asks, and proves to have the private key: the signature covers the secret, so it is good for this join alone. */
    static void writeRequest(OutputStream out, String secret, KeyPair keys)
            throws IOException, GeneralSecurityException {
        Signature signature = Signature.getInstance(SIGNATURE);
        signature.initSign(keys.getPrivate());
        signature.update(secret.getBytes(StandardCharsets.UTF_8));
        signature.update(keys.getPublic().getEncoded());
        ObjectNode message = JSON.createObjectNode()
                .put("version", VERSION)
                .put("secret", secret)
                .put("key", keys.getPublic().getEncoded())
                .put("proof", signature.sign());
        write(out, message);
    }

    /**
     * Reads what a client asks.
     *
     * @throws IOException if it is none, or its key is not proved; the message is for the asker
     */
    public static Request readRequest(InputStream in) throws IOException {
        JsonNode message = read(in);
        if (message.path("version").asInt() != VERSION) {
            throw new IOException(
                    "the join is of version " + message.path("version").asText("unknown")
                            + ", and 1 is known here: use the same version of Shredder on both machines");
        }
        String secret = message.path("secret").asText();
        try {
            PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(bytes(message, "key")));
            Signature signature = Signature.getInstance(SIGNATURE);
            signature.initVerify(key);
            signature.update(secret.getBytes(StandardCharsets.UTF_8));
            signature.update(key.getEncoded());
            if (!signature.verify(bytes(message, "proof"))) {
                throw new IOException("the join's key is not proved");
            }
            return new Request(secret, key);
        } catch (GeneralSecurityException e) {
            throw new IOException("the join's key is not one of P-256: " + e.getMessage(), e);
        }
    }

    /** Answers. */
    public static void writeJoined(OutputStream out, Joined joined) throws IOException, GeneralSecurityException {
        write(
                out,
                JSON.createObjectNode()
                        .put("certificate", joined.certificate().getEncoded())
                        .put("authority", joined.authority().getEncoded())
                        .put("agent", joined.agent().toString()));
    }

    /** Says why not. */
    public static void writeRefusal(OutputStream out, String reason) throws IOException {
        write(out, JSON.createObjectNode().put("refused", reason));
    }

    /** Reads an answer; a refusal is an error. */
    static Joined readJoined(InputStream in) throws IOException, GeneralSecurityException {
        JsonNode message = read(in);
        if (message.has("refused")) {
            throw new IOException("the other machine refuses: "
                    + message.path("refused").asText().replaceAll("\\p{Cntrl}", "?"));
        }
        try {
            HostPort agent = HostPort.parse(message.path("agent").asText());
            return new Joined(certificate(message, "certificate"), certificate(message, "authority"), agent);
        } catch (IllegalArgumentException e) {
            throw new IOException("the join's answer doesn't say where the agent is: " + e.getMessage(), e);
        }
    }

    private static X509Certificate certificate(JsonNode message, String name)
            throws IOException, GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(bytes(message, name)));
    }

    private static byte[] bytes(JsonNode message, String name) throws IOException {
        try {
            return Base64.getDecoder().decode(message.path(name).asText());
        } catch (IllegalArgumentException e) {
            throw new IOException("the join's '" + name + "' is not base64", e);
        }
    }

    private static void write(OutputStream out, JsonNode message) throws IOException {
        out.write((JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static JsonNode read(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within a message of a join");
            }
            line.write(next);
            if (line.size() > MOST_BYTES) {
                throw new IOException("a message of a join is longer than " + MOST_BYTES + " bytes");
            }
        }
        try {
            JsonNode message = JSON.readTree(line.toByteArray());
            if (message == null || !message.isObject()) {
                throw new IOException("a message of a join is not a JSON object");
            }
            return message;
        } catch (JacksonException e) {
            throw new IOException("a message of a join is not JSON: " + e.getOriginalMessage(), e);
        }
    }
}
