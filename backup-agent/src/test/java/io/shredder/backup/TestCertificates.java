// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup;

import io.shredder.backup.agent.certs.CertificateFolder;
import io.shredder.backup.agent.certs.CertificateMaker;
import io.shredder.backup.agent.certs.CertificateMaker.Identity;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** An authority in a folder, and what it signs. */
public final class TestCertificates {

    private final CertificateFolder files;
    private final CertificateMaker maker;
    private final Identity authority;

    public TestCertificates(Path folder) throws IOException {
        this(folder, Clock.systemUTC());
    }

    public TestCertificates(Path folder, Clock clock) throws IOException {
        files = new CertificateFolder(folder);
        maker = new CertificateMaker(clock, Duration.ofDays(30));
        authority = maker.authority();
        files.write("ca", authority);
    }

    public TlsFiles agent(String... hosts) throws IOException {
        return write("agent-" + String.join("-", hosts), maker.agent(authority, List.of(hosts)));
    }

    public TlsFiles client(String name) throws IOException {
        return write("client-" + name, maker.client(authority, name));
    }

    /** Its last day was yesterday. */
    public TlsFiles expiredClient(String name) throws IOException {
        Clock past = Clock.offset(Clock.systemUTC(), Duration.ofDays(-31));
        return write("expired-" + name, new CertificateMaker(past, Duration.ofDays(30)).client(authority, name));
    }

    /** Puts a certificate on the list of revoked ones; returns that. */
    public Path revoke(TlsFiles revoked) throws IOException {
        files.writeRevocationList(
                "ca",
                maker.revoke(
                        authority,
                        files.readRevocationList("ca"),
                        CertificateFolder.readCertificate(revoked.certificate())));
        return files.revocationList("ca");
    }

    private TlsFiles write(String name, Identity identity) throws IOException {
        files.write(name, identity);
        return new TlsFiles(files.certificate(name), files.key(name), files.certificate("ca"));
    }
}
