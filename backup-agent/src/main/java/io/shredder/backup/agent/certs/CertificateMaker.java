// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.certs;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CRLHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes X.509 certificates on the curve P-256: an authority, and what it signs for agents and clients. */
public final class CertificateMaker {

    /**
     * A certificate and its private key.
     *
     * @param certificate the certificate
     * @param key its private key
     */
    public record Identity(X509Certificate certificate, PrivateKey key) {}

    private static final Duration CLOCK_SKEW = Duration.ofHours(1);
    private static final Pattern IP_ADDRESS =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

    private final Clock clock;
    private final Duration lifetime;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param clock says from when the certificates are valid
     * @param lifetime for how long
     */
    public CertificateMaker(Clock clock, Duration lifetime) {
        this.clock = clock;
        this.lifetime = lifetime;
    }

    /** A new authority that signs itself. */
    public Identity authority() throws IOException {
        try {
            KeyPair keys = newKeys();
            X500Name name = name("Shredder backup authority");
            X509v3CertificateBuilder builder = builder(name, name, keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            return new Identity(signed(builder, keys.getPrivate()), keys.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("can't make an authority: " + e.getMessage(), e);
        }
    }

    /** An agent's identity, good for these host names and IP addresses. */
    public Identity agent(Identity authority, List<String> hosts) throws IOException {
        GeneralName[] names = hosts.stream()
                .map(host -> new GeneralName(
                        IP_ADDRESS.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new);
        try {
            KeyPair keys = newKeys();
            X509Certificate certificate = leaf(
                    authority,
                    name(hosts.get(0)),
                    KeyPurposeId.id_kp_serverAuth,
                    new GeneralNames(names),
                    keys.getPublic());
            return new Identity(certificate, keys.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IOException("can't make a key for " + hosts.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** A client's identity; its name is its namespace at the agent. */
    public Identity client(Identity authority, String client) throws IOException {
        try {
            KeyPair keys = newKeys();
            return new Identity(client(authority, client, keys.getPublic()), keys.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IOException("can't make a key for " + client + ": " + e.getMessage(), e);
        }
    }

    /** A client's certificate, for a key whose private half only the client has. */
    public X509Certificate client(Identity authority, String client, PublicKey key) throws IOException {
        GeneralNames names = new GeneralNames(new GeneralName(GeneralName.dNSName, client + ".client.invalid"));
        return leaf(authority, name(client), KeyPurposeId.id_kp_clientAuth, names, key);
    }

    /**
     * The authority's list of certificates that are not to be believed any more, those of an earlier list and one more.
     *
     * @param before the list that this one replaces, if there is one
     */
    public X509CRL revoke(Identity authority, Optional<X509CRL> before, X509Certificate revoked) throws IOException {
        try {
            Date now = Date.from(clock.instant());
            X509v2CRLBuilder builder =
                    new JcaX509v2CRLBuilder(authority.certificate().getSubjectX500Principal(), now);
            builder.setNextUpdate(Date.from(clock.instant().plus(lifetime)));
            if (before.isPresent()) {
                builder.addCRL(new JcaX509CRLHolder(before.get()));
            }
            if (before.isEmpty() || !before.get().isRevoked(revoked)) {
                builder.addCRLEntry(revoked.getSerialNumber(), now, CRLReason.unspecified);
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(authority.key());
            return new JcaX509CRLConverter().getCRL(builder.build(signer));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("can't make a revocation list: " + e.getMessage(), e);
        }
    }

    private X509Certificate leaf(
            Identity authority, X500Name subject, KeyPurposeId purpose, GeneralNames names, PublicKey key)
            throws IOException {
        try {
            X500Name issuer = X500Name.getInstance(
                    authority.certificate().getSubjectX500Principal().getEncoded());
            X509v3CertificateBuilder builder = builder(issuer, subject, key);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(purpose));
            builder.addExtension(Extension.subjectAlternativeName, false, names);
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils()
                            .createAuthorityKeyIdentifier(
                                    authority.certificate().getPublicKey()));
            return signed(builder, authority.key());
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("can't make a certificate for " + subject + ": " + e.getMessage(), e);
        }
    }

    private X509v3CertificateBuilder builder(X500Name issuer, X500Name subject, PublicKey key)
            throws GeneralSecurityException, IOException {
        Instant now = clock.instant();
        BigInteger serial = new BigInteger(127, random).setBit(126);
        Date from = Date.from(now.minus(CLOCK_SKEW));
        Date until = Date.from(now.plus(lifetime));
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(issuer, serial, from, until, subject, key);
        builder.addExtension(
                Extension.subjectKeyIdentifier, false, new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
        return builder;
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey signingKey)
            throws GeneralSecurityException, OperatorCreationException {
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(signingKey);
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    private KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private static X500Name name(String commonName) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, commonName)
                .build();
    }
}
