// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.certs.CertificateMaker.Identity;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertsTest {

    private final CertificateMaker maker = new CertificateMaker(Clock.systemUTC(), Duration.ofDays(30));

    @TempDir
    private Path folder;

    @Test
    void theAuthoritySignsAgentsAndClientsForTheirPurposeOnly() throws Exception {
        Identity authority = maker.authority();
        Identity agent = maker.agent(authority, List.of("backup.example", "10.0.0.1", "::1"));
        Identity client = maker.client(authority, "site1");
        agent.certificate().verify(authority.certificate().getPublicKey());
        client.certificate().verify(authority.certificate().getPublicKey());
        assertThat(agent.certificate().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(client.certificate().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
        assertThat(authority.certificate().getBasicConstraints()).isZero();
        assertThat(client.certificate().getBasicConstraints()).isEqualTo(-1);
        assertThat(agent.certificate().getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactly("backup.example", "10.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(client.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=site1");
    }

    @Test
    void filesReadBackAndKeysAreForTheOwnerOnly() throws IOException {
        CertificateFolder files = new CertificateFolder(folder.resolve("new"));
        Identity authority = maker.authority();
        files.write("ca", authority);
        assertThat(files.has("ca")).isTrue();
        assertThat(files.read("ca").certificate()).isEqualTo(authority.certificate());
        assertThat(files.read("ca").key()).isEqualTo(authority.key());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.key("ca"))))
                .isEqualTo("rw-------");
    }

    @Test
    void nothingIsEverOverwritten() throws IOException {
        CertificateFolder files = new CertificateFolder(folder);
        files.write("ca", maker.authority());
        byte[] before = Files.readAllBytes(files.key("ca"));
        assertThatThrownBy(() -> files.write("ca", maker.authority())).hasMessageContaining("never overwritten");
        assertThat(Files.readAllBytes(files.key("ca"))).isEqualTo(before);
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws IOException {
        CertificateFolder files = new CertificateFolder(folder);
        Identity authority = maker.authority();
        files.write("ca", authority);
        files.write("one", maker.client(authority, "one"));
        var tls = new TlsFiles(files.certificate("one"), files.key("one"), files.certificate("ca"));
        for (String refused : List.of("rw-r--r--", "rw----r--", "rw-rw----", "rw-----w-")) {
            Files.setPosixFilePermissions(files.key("one"), PosixFilePermissions.fromString(refused));
            assertThatThrownBy(tls::forClient)
                    .hasMessageContaining("may be read or written by others: chmod 600 " + files.key("one"));
            assertThatThrownBy(tls::forAgent).hasMessageContaining("may be read or written by others");
        }
        for (String taken : List.of("r--------", "rw-r-----")) {
            Files.setPosixFilePermissions(files.key("one"), PosixFilePermissions.fromString(taken));
            assertThat(tls.forClient().isClient()).isTrue();
        }
    }

    @Test
    void aKeyThatIsNotTheCertificatesIsRefusedBeforeAnyConnection() throws IOException {
        CertificateFolder files = new CertificateFolder(folder);
        Identity authority = maker.authority();
        files.write("ca", authority);
        files.write("one", maker.client(authority, "one"));
        files.write("two", maker.client(authority, "two"));
        var good = new TlsFiles(files.certificate("one"), files.key("one"), files.certificate("ca"));
        assertThat(good.forClient().isClient()).isTrue();
        var mixed = new TlsFiles(files.certificate("one"), files.key("two"), files.certificate("ca"));
        assertThatThrownBy(mixed::forClient)
                .hasMessageContaining("two.key is not the private key of certificate")
                .hasMessageContaining("one.crt");
        var noKey = new TlsFiles(files.certificate("one"), files.certificate("one"), files.certificate("ca"));
        assertThatThrownBy(noKey::forAgent).hasMessageContaining("one.crt is not a private key in PEM form");
    }
}
