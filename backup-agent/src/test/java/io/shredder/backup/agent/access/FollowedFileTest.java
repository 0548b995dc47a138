// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A changed file that could not be read once is read when it can be, though nothing changes it again. */
class FollowedFileTest {

    @TempDir
    private Path folder;

    private RecordedFiles files;
    private Path file;
    private int reads;

    @BeforeEach
    void name() {
        files = new RecordedFiles(folder);
        file = files.root().resolve("followed");
    }

    private void cantBeReadOnce() {
        files.failOpening(files.root(), new AccessDeniedException("followed"));
    }

    private String read() throws IOException {
        reads++;
        return Files.readString(file);
    }

    @Test
    void whatCantBeReadIsTriedAgain() throws IOException {
        Files.writeString(file, "one");
        FollowedFile<String> followed = new FollowedFile<>(file, "file", this::read);
        assertThat(followed.current()).isEqualTo("one");
        assertThat(reads).isEqualTo(1);
        Files.writeString(file, "another");
        cantBeReadOnce();
        assertThat(followed.current()).isEqualTo("one");
        assertThat(followed.current()).isEqualTo("another");
        assertThat(followed.current()).isEqualTo("another");
        assertThat(reads).isEqualTo(3);
    }

    @Test
    void theRulesThatComeAfterAFailedReadHold() throws IOException {
        SnapshotName site = new SnapshotName("site1");
        Files.writeString(file, "clients: {site1: {rights: [append, prune]}}");
        AccessFile access = AccessFile.open(file);
        Files.writeString(file, "clients: {site1: {rights: [append]}}");
        cantBeReadOnce();
        assertThat(access.current().of(site).orElseThrow().rights()).contains(Right.PRUNE);
        assertThat(access.current().of(site).orElseThrow().rights()).containsExactly(Right.APPEND);
    }

    @Test
    void theRevocationListThatComesAfterAFailedReadHolds() throws Exception {
        TestCertificates certificates = new TestCertificates(folder.resolve("certs"));
        TlsFiles site = certificates.client("site1");
        Path list = certificates.revoke(certificates.client("stolen-before"));
        X509Certificate certificate;
        try (InputStream in = Files.newInputStream(site.certificate())) {
            certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
        Path followed = files.root().resolve(folder.relativize(list).toString());
        RevokedCertificates revoked = RevokedCertificates.open(followed, site.authority());
        assertThat(revoked.contains(certificate)).isFalse();
        certificates.revoke(site);
        cantBeReadOnce();
        assertThat(revoked.contains(certificate)).isFalse();
        assertThat(revoked.contains(certificate)).isTrue();
    }
}
