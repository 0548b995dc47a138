// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Files that a first setup makes. None is ever overwritten.
 *
 * @param folder where they are
 * @param owner the service's user, who owns what others must not read; empty if it isn't on this machine, or whoever
 *     sets up can't give files away
 */
public record SetupFiles(Path folder, Optional<UserPrincipal> owner) {

    /** In this folder, for the service of this user. */
    public static SetupFiles in(Path folder, String user) throws IOException {
        Optional<UserPrincipal> owner = Optional.empty();
        if (isRoot()) {
            try {
                owner = Optional.of(
                        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
            } catch (UserPrincipalNotFoundException e) {
                owner = Optional.empty();
            }
        }
        return new SetupFiles(folder, owner);
    }

    /** Whether whoever runs this may do all. */
    public static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Refuses if any of these is there: before anything is made. */
    public void requireFree(List<String> names) throws IOException {
        for (String name : names) {
            if (Files.exists(folder.resolve(name))) {
                throw new IOException(folder.resolve(name) + " exists: this machine is set up already;"
                        + " name another folder with --dir, or move it away");
            }
        }
    }

    /** A file for all to read. */
    public void write(String name, String text) throws IOException {
        write(folder.resolve(name), "rw-r--r--", text);
    }

    /** A file for the service alone. */
    public void writePrivate(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        write(file, "rw-------", text);
        give(file);
    }

    /** Makes a file or a folder the service's. */
    public void give(Path file) throws IOException {
        if (owner.isPresent()) {
            Files.setOwner(file, owner.get());
        }
    }

    /** Writes {@code NAME.crt} for all and {@code NAME.key} for the service. */
    public void writeIdentity(String name, X509Certificate certificate, PrivateKey key) throws IOException {
        writePrivate(name + ".key", pem("PRIVATE KEY", key.getEncoded()));
        writeCertificate(name, certificate);
    }

    /** Writes {@code NAME.crt}. */
    public void writeCertificate(String name, X509Certificate certificate) throws IOException {
        try {
            write(name + ".crt", pem("CERTIFICATE", certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException("can't encode the certificate " + name, e);
        }
    }

    private static String pem(String type, byte[] der) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
    }

    private static void write(Path file, String permissions, String text) throws IOException {
        var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
        try (FileChannel channel =
                        FileChannel.open(file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), mode);
                OutputStream out = Channels.newOutputStream(channel)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            channel.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " exists and is never overwritten", e);
        }
        // What the umask took away, all may still read.
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
