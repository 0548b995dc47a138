// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.access.Right;
import io.shredder.backup.agent.access.RightsText;
import io.shredder.backup.agent.certs.CertificateFolder;
import io.shredder.backup.agent.certs.CertificateMaker;
import io.shredder.backup.agent.certs.CertificateMaker.Identity;
import io.shredder.backup.setup.JoinServer;
import io.shredder.backup.setup.JoinServer.Guest;
import io.shredder.backup.setup.JoinToken;
import io.shredder.backup.setup.UndeliveredException;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code backup-agent invite}: one more client, without copying any key by hand. */
@Command(
        name = "invite",
        description = "Let one machine join as a client: prints a token, and waits until that machine has shown it.",
        footer = {
            "",
            "The token is good once, and only while this command waits. The machine makes its key itself;",
            "this one signs it and adds the client to the rights. Exit code 1 if nobody joined."
        },
        mixinStandardHelpOptions = true)
final class InviteCommand implements Callable<Integer> {

    static final int USUAL_PORT = 7423;

    private static final Duration LIFETIME = Duration.ofDays(3650);
    private static final int MOST_MINUTES = 7 * 24 * 60;

    @Parameters(paramLabel = "NAME", description = "What to call the machine; its namespace at the agent.")
    private SnapshotName name = new SnapshotName("x");

    @Option(
            names = "--rights",
            split = ",",
            defaultValue = "append,restore",
            paramLabel = "RIGHT",
            description = "What it may do (default: ${DEFAULT-VALUE}); 'prune' may delete.")
    private List<String> rights = List.of();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Whose snapshots it sees, if not its own: for a second client that looks after a site's.")
    private @Nullable SnapshotName namespace;

    @Option(
            names = "--listen",
            defaultValue = "0.0.0.0:7423",
            paramLabel = "HOST:PORT",
            description = "Where to wait (default: ${DEFAULT-VALUE}).")
    private HostPort listen = new HostPort("0.0.0.0", USUAL_PORT);

    @Option(
            names = "--address",
            paramLabel = "HOST",
            description = "How that machine calls this one (default: the first name of the agent's certificate).")
    private @Nullable String address;

    @Option(
            names = "--agent-port",
            defaultValue = "7420",
            paramLabel = "PORT",
            description = "Where the agent listens (default: ${DEFAULT-VALUE}).")
    private int agentPort = 7420;

    @Option(
            names = "--minutes",
            defaultValue = "60",
            paramLabel = "N",
            description = "How long to wait (default: ${DEFAULT-VALUE}).")
    private int minutes = 60;

    @Mixin
    private SetupFolderOption setup = new SetupFolderOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (minutes < 1 || minutes > MOST_MINUTES) {
            throw new ParameterException(
                    spec.commandLine(), "--minutes " + minutes + " is not from 1 to " + MOST_MINUTES);
        }
        Set<Right> granted = granted();
        Path folder = setup.folder();
        CertificateFolder signing = new CertificateFolder(folder.resolve(InitAgentCommand.AUTHORITY_FOLDER));
        if (!signing.has(InitAgentCommand.AUTHORITY)) {
            throw new IOException("there is no authority in " + signing.folder()
                    + ": run 'backup-agent init' first, as root, or name another folder with --dir");
        }
        Identity authority = signing.read(InitAgentCommand.AUTHORITY);
        Identity agent = new CertificateFolder(folder).read(InitAgentCommand.AGENT);
        String host = address != null ? address : HostNames.firstOf(agent.certificate());
        Path file = folder.resolve(InitAgentCommand.RIGHTS);
        var identity = new JoinServer.Identity(
                agent.certificate(), agent.key(), authority.certificate(), new HostPort(host, agentPort));
        CertificateMaker maker = new CertificateMaker(Clock.systemUTC(), LIFETIME);
        try (JoinServer server = start(identity, host, key -> certify(file, granted, maker, authority, key))) {
            Optional<Guest> guest = server.await(Duration.ofMinutes(minutes));
            if (guest.isEmpty()) {
                throw new IOException(name + " did not join within " + minutes + " minutes: invite it again");
            }
            X509Certificate made = guest.get().certificate();
            System.out.println(name + " joined from " + guest.get().from() + ": may " + String.join(", ", rights)
                    + ", until "
                    + made.getNotAfter().toInstant().atZone(ZoneOffset.UTC).toLocalDate());
        } catch (UndeliveredException e) {
            Path made =
                    signing.writeCertificate("undelivered-" + e.certificate().getSerialNumber(), e.certificate());
            throw new IOException(
                    e.getMessage() + ": revoke it by 'backup-agent certs --out " + signing.folder() + " --revoke "
                            + made + "', and invite " + name + " again",
                    e);
        }
        return 0;
    }

    private Set<Right> granted() {
        try {
            Set<Right> granted = RightsText.rights(rights);
            if (granted.isEmpty()) {
                throw new IllegalArgumentException("--rights names none");
            }
            return granted;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    /** Listens first: a token is shown only if somebody answers whoever has it. */
    private JoinServer start(JoinServer.Identity identity, String host, JoinServer.Authority signer)
            throws IOException {
        try {
            JoinToken token =
                    JoinToken.create(new HostPort(host, listen.port()), identity.authority(), new SecureRandom());
            JoinServer server = JoinServer.start(listen, identity, token, signer);
            JoinToken shown = token.at(new HostPort(host, server.port()));
            System.out.println("On " + name + ", within " + minutes + " minutes, as root:\n\n"
                    + "  shredder-backup init --token " + shown.text() + "\n\nWaiting for it; Ctrl-C takes the"
                    + " invitation back.");
            System.out.flush();
            return server;
        } catch (GeneralSecurityException e) {
            throw new IOException("can't make a token: " + e.getMessage(), e);
        }
    }

    private X509Certificate certify(
            Path file, Set<Right> granted, CertificateMaker maker, Identity authority, PublicKey key)
            throws IOException {
        if (Files.exists(file)) {
            RightsText.add(file, name, granted, Optional.ofNullable(namespace));
        }
        return maker.client(authority, name.value(), key);
    }
}
