// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import io.shredder.backup.wire.HostPort;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one machine gets from another to join it, once: where to ask, whom to believe there, and what proves that the
 * two belong together. As text {@code HOST:PORT/AUTHORITY/SECRET}; docs/formats/join.md.
 *
 * @param place where the other side waits
 * @param authority SHA-256 of its authority's certificate, base64url without padding
 * @param secret 16 random bytes, good for one join, base64url without padding
 */
public record JoinToken(HostPort place, String authority, String secret) {

    private static final int SECRET_BYTES = 16;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final Pattern AUTHORITY = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9_-]{22}");
    private static final Pattern FORM =
            Pattern.compile("(?<place>[^/\\s]{1,300})/(?<authority>[^/\\s]{43})/(?<secret>\\S{22})");

    /** Refuses what can't be a digest and a secret. */
    public JoinToken {
        if (!AUTHORITY.matcher(authority).matches() || !SECRET.matcher(secret).matches()) {
            throw new IllegalArgumentException("this is not a whole token, HOST:PORT/AUTHORITY/SECRET:"
                    + " copy the line that 'backup-agent invite' printed");
        }
    }

    /** A new secret for those who believe this authority. */
    public static JoinToken create(HostPort place, X509Certificate authority, SecureRandom random)
            throws GeneralSecurityException {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new JoinToken(place, digest(authority), BASE64.encodeToString(secret));
    }

    /** What names an authority in a token. */
    static String digest(X509Certificate authority) throws GeneralSecurityException {
        return BASE64.encodeToString(MessageDigest.getInstance("SHA-256").digest(authority.getEncoded()));
    }

    /** Reads a token that was printed. */
    public static JoinToken parse(String text) {
        Matcher token = FORM.matcher(text.strip());
        boolean whole = token.matches();
        return new JoinToken(
                whole ? HostPort.parse(token.group("place")) : new HostPort("nowhere", 0),
                whole ? token.group("authority") : "",
                whole ? token.group("secret") : "");
    }

    /** Whether this is the token's secret; takes as long for each that isn't. */
    boolean hasSecret(String shown) {
        return MessageDigest.isEqual(secret.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8));
    }

    /** The same, waited for elsewhere. */
    public JoinToken at(HostPort other) {
        return new JoinToken(other, authority, secret);
    }

    /** The text that {@link #parse} reads; it has the secret. */
    public String text() {
        return place + "/" + authority + "/" + secret;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "token of " + place;
    }
}
