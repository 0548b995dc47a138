// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.certs;

import io.shredder.backup.agent.certs.CertificateMaker.Identity;
import io.shredder.backup.agent.file.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/**
 * PEM files in a folder: {@code NAME.crt} for all, {@code NAME.key} for the owner only. Never overwrites one.
 *
 * @param folder where they are
 */
public record CertificateFolder(Path folder) {

    private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String KEY_END = "-----END PRIVATE KEY-----";

    /** Refuses names that are taken. */
    public void checkFree(String name) throws IOException {
        for (Path file : Set.of(certificate(name), key(name))) {
            if (Files.exists(file)) {
                throw new IOException(file + " exists and is never overwritten: name another --out, or move it away");
            }
        }
    }

    /** Whether both files of this name are there. */
    public boolean has(String name) {
        return Files.exists(certificate(name)) && Files.exists(key(name));
    }

    /** Writes both files. */
    public void write(String name, Identity identity) throws IOException {
        checkFree(name);
        Files.createDirectories(folder);
        try {
            write(key(name), "rw-------", "PRIVATE KEY", identity.key().getEncoded());
            write(
                    certificate(name),
                    "rw-r--r--",
                    "CERTIFICATE",
                    identity.certificate().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("can't encode the certificate " + name, e);
        }
        DurableFiles.forceFolder(folder);
    }

    /** Writes a certificate whose key is elsewhere, in the place of one of its name; returns its file. */
    public Path writeCertificate(String name, X509Certificate made) throws IOException {
        Path file = certificate(name);
        Files.deleteIfExists(file);
        try {
            write(file, "rw-r--r--", "CERTIFICATE", made.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("can't encode the certificate " + name, e);
        }
        return file;
    }

    /** Reads both files. */
    public Identity read(String name) throws IOException {
        try {
            return new Identity(readCertificate(certificate(name)), readKey(key(name)));
        } catch (GeneralSecurityException e) {
            throw new IOException(key(name) + " can't be read: " + e.getMessage(), e);
        }
    }

    /** Reads a certificate, wherever it is. */
    public static X509Certificate readCertificate(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " is not a certificate: " + e.getMessage(), e);
        }
    }

    /** The authority's list of revoked certificates, if there is one. */
    public Optional<X509CRL> readRevocationList(String name) throws IOException {
        Path file = revocationList(name);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of((X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in));
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " can't be read: " + e.getMessage(), e);
        }
    }

    /** Writes a list, in the place of the one before it. */
    public void writeRevocationList(String name, X509CRL list) throws IOException {
        Path file = revocationList(name);
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temporary);
        try {
            write(temporary, "rw-r--r--", "X509 CRL", list.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException("can't encode the revocation list " + name, e);
        }
        DurableFiles.publish(temporary, file);
    }

    /** The file of an authority's revoked certificates. */
    public Path revocationList(String name) {
        return folder.resolve(name + ".crl");
    }

    /** The certificate's file. */
    public Path certificate(String name) {
        return folder.resolve(name + ".crt");
    }

    /** The private key's file. */
    public Path key(String name) {
        return folder.resolve(name + ".key");
    }

    private static PrivateKey readKey(Path file) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file);
        int begin = pem.indexOf(KEY_BEGIN);
        int end = pem.indexOf(KEY_END);
        if (begin < 0 || end < begin) {
            throw new IOException(file + " is not a private key in PEM form (PKCS#8)");
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.substring(begin + KEY_BEGIN.length(), end));
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
    }

    private static void write(Path file, String permissions, String type, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        String pem = "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
        FileAttribute<?> mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), mode)) {
            DurableFiles.writeFully(channel, ByteBuffer.wrap(pem.getBytes(StandardCharsets.US_ASCII)), 0);
            channel.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " exists and is never overwritten", e);
        }
    }
}
