// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.certs.CertificateFolder;
import io.shredder.backup.agent.certs.CertificateMaker;
import io.shredder.backup.agent.certs.CertificateMaker.Identity;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509CRL;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code backup-agent certs}: an authority, and certificates that it signs. */
@Command(
        name = "certs",
        description = "Make certificates: ca, agent, keeper-HOST and client-NAME, each a .crt and a .key file.",
        footer = {
            "",
            "The authority in --out is used if there is one, so more clients can be added later.",
            "Keep ca.key away from both sites: whoever has it can be any client."
        },
        mixinStandardHelpOptions = true)
final class CertsCommand implements Callable<Integer> {

    private static final String AUTHORITY = "ca";
    private static final String AGENT = "agent";

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder for the files.")
    private Path out = Path.of("");

    @Option(
            names = "--agent-host",
            split = ",",
            paramLabel = "HOST",
            description = "Make the agent's certificate, good for these names and addresses.")
    private List<String> agentHosts = List.of();

    @Option(
            names = "--keeper-host",
            split = ",",
            paramLabel = "HOST",
            description = "Make a certificate for the keeper on each of these machines, good for that name or address"
                    + " alone.")
    private List<String> keeperHosts = List.of();

    @Option(
            names = "--client",
            split = ",",
            paramLabel = "NAME",
            description = "Make a certificate for each of these clients.")
    private List<SnapshotName> clients = List.of();

    @Option(
            names = "--revoke",
            paramLabel = "FILE",
            description = "Put this certificate on the authority's list ca.crl, for the agent's --crl.")
    private @Nullable Path revoked;

    @Option(
            names = "--days",
            defaultValue = "3650",
            paramLabel = "N",
            description = "How long the certificates are valid (default: ${DEFAULT-VALUE}).")
    private int days = 3650;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        boolean makes = !agentHosts.isEmpty() || !keeperHosts.isEmpty() || !clients.isEmpty();
        if (!makes && revoked == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "nothing to make: give some of --agent-host, --keeper-host and --client, or --revoke");
        }
        if (days < 1 || days > 36_500) {
            throw new ParameterException(spec.commandLine(), "--days " + days + " is not from 1 to 36500");
        }
        CertificateFolder folder = new CertificateFolder(out);
        if (!agentHosts.isEmpty()) {
            folder.checkFree(AGENT);
        }
        for (String host : keeperHosts) {
            folder.checkFree(keeper(host));
        }
        for (SnapshotName client : clients) {
            folder.checkFree("client-" + client);
        }
        CertificateMaker maker = new CertificateMaker(Clock.systemUTC(), Duration.ofDays(days));
        if (revoked != null) {
            revoke(folder, maker, revoked);
        }
        if (makes) {
            make(folder, maker);
        }
        return 0;
    }

    private static void revoke(CertificateFolder folder, CertificateMaker maker, Path file) throws IOException {
        if (!folder.has(AUTHORITY)) {
            throw new IOException("there is no authority in " + folder.folder()
                    + ": name the folder with ca.crt and ca.key with --out");
        }
        X509CRL list = maker.revoke(
                folder.read(AUTHORITY), folder.readRevocationList(AUTHORITY), CertificateFolder.readCertificate(file));
        folder.writeRevocationList(AUTHORITY, list);
        System.out.println(folder.revocationList(AUTHORITY) + " revokes "
                + list.getRevokedCertificates().size() + " certificates");
    }

    private void make(CertificateFolder folder, CertificateMaker maker) throws IOException {
        Identity authority;
        if (folder.has(AUTHORITY)) {
            authority = folder.read(AUTHORITY);
        } else {
            authority = maker.authority();
            write(folder, AUTHORITY, authority);
        }
        if (!agentHosts.isEmpty()) {
            write(folder, AGENT, maker.agent(authority, agentHosts));
        }
        for (String host : keeperHosts) {
            write(folder, keeper(host), maker.agent(authority, List.of(host)));
        }
        for (SnapshotName client : clients) {
            write(folder, "client-" + client, maker.client(authority, client.value()));
        }
    }

    /** The files of a keeper's certificate; a host may be an address of IPv6. */
    private static String keeper(String host) {
        return "keeper-" + host.replace(':', '-').replace('/', '-');
    }

    private static void write(CertificateFolder folder, String name, Identity identity) throws IOException {
        folder.write(name, identity);
        System.out.println(folder.certificate(name) + " and " + folder.key(name));
    }
}
