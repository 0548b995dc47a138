// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.access.RightsText;
import io.shredder.backup.agent.certs.CertificateFolder;
import io.shredder.backup.agent.certs.CertificateMaker;
import io.shredder.backup.agent.certs.CertificateMaker.Identity;
import io.shredder.backup.command.Questions;
import io.shredder.backup.setup.ServiceUnit;
import io.shredder.backup.setup.SetupFiles;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent init}: all that a backup site needs, made and started. */
@Command(
        name = "init",
        description = "Set this machine up as a backup site: certificates, rights, the service.",
        footer = {
            "",
            "Asks at the terminal for what is not given. Overwrites nothing. The authority that signs",
            "clients is kept here, in DIR/authority: whoever has this machine can be any client of it.",
            "To keep it elsewhere, make certificates there by 'backup-agent certs' instead."
        },
        mixinStandardHelpOptions = true)
final class InitAgentCommand implements Callable<Integer> {

    static final String AUTHORITY_FOLDER = "authority";
    static final String AUTHORITY = "ca";
    static final String AGENT = "agent";
    static final String RIGHTS = "rights.yaml";

    private static final Duration LIFETIME = Duration.ofDays(3650);
    private static final Path USUAL_REPOSITORY = Path.of("/var/lib/shredder-agent/repository");
    private static final HostPort USUAL_LISTEN = new HostPort("0.0.0.0", 7420);

    @Option(
            names = "--address",
            split = ",",
            paramLabel = "HOST",
            description = "The names and addresses by which other machines call this one, the usual one first.")
    private List<String> addresses = List.of();

    @Option(
            names = "--repo",
            paramLabel = "DIR",
            description = "Folder of the repository (default: /var/lib/shredder-agent/repository).")
    private @Nullable Path repository;

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where to listen (default: 0.0.0.0:7420).")
    private @Nullable HostPort listen;

    @Option(names = "--no-start", description = "Don't start the service.")
    private boolean noStart;

    @Mixin
    private SetupFolderOption setup = new SetupFolderOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        SetupFiles files = SetupFiles.in(setup.folder(), "shredder-agent");
        files.requireFree(List.of(AUTHORITY_FOLDER, AUTHORITY + ".crt", AGENT + ".crt", AGENT + ".key", RIGHTS));
        Questions questions = Questions.atTerminal();
        List<String> hosts = addresses.isEmpty()
                ? List.of(questions
                        .ask("--address", "By which name or address do other machines call this one", hostName())
                        .split("\\s*,\\s*"))
                : addresses;
        Path repo = repository != null
                ? repository
                : Path.of(questions.orUsual("Folder of the repository", USUAL_REPOSITORY.toString()));
        HostPort place =
                listen != null ? listen : HostPort.parse(questions.orUsual("Where to listen", USUAL_LISTEN.toString()));

        make(files, hosts);
        ServiceUnit unit = new ServiceUnit("shredder-backup-agent");
        boolean starts = !noStart && unit.canStart();
        if (starts) {
            start(unit, files, repo, place);
        }
        say(files, hosts, repo, place, starts);
        return 0;
    }

    private static void make(SetupFiles files, List<String> hosts) throws IOException {
        Path folder = files.folder();
        Files.createDirectories(folder);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        CertificateFolder signing =
                new CertificateFolder(Files.createDirectory(folder.resolve(AUTHORITY_FOLDER), ownerOnly));
        CertificateMaker maker = new CertificateMaker(Clock.systemUTC(), LIFETIME);
        Identity authority = maker.authority();
        signing.write(AUTHORITY, authority);
        Identity agent = maker.agent(authority, hosts);
        files.writeCertificate(AUTHORITY, authority.certificate());
        files.writeIdentity(AGENT, agent.certificate(), agent.key());
        files.write(RIGHTS, RightsText.NEW);
    }

    private static void start(ServiceUnit unit, SetupFiles files, Path repo, HostPort place)
            throws IOException, InterruptedException {
        if (!repo.equals(USUAL_REPOSITORY) || !place.equals(USUAL_LISTEN)) {
            Path absolute = repo.toAbsolutePath().normalize();
            Files.createDirectories(absolute);
            files.give(absolute);
            unit.addDropIn(
                    "init.conf",
                    "# What 'backup-agent init' was told.\n[Service]\nEnvironment=\"REPOSITORY=" + absolute
                            + "\" \"LISTEN=" + place + "\"\nReadWritePaths=" + absolute + "\n");
        }
        unit.enableNow();
    }

    private void say(SetupFiles files, List<String> hosts, Path repo, HostPort place, boolean started) {
        Path folder = files.folder();
        if (started) {
            System.out.println(
                    "The agent runs, keeps " + repo + ", listens on " + place + " and starts with the machine.");
        } else {
            System.out.println(
                    "Made what an agent needs, in " + folder + ". Start it by:\n\n  backup-agent serve --repo "
                            + repo + " --listen " + place + " --rights " + folder.resolve(RIGHTS) + " --cert "
                            + folder.resolve(AGENT + ".crt") + " --key " + folder.resolve(AGENT + ".key") + " --ca "
                            + folder.resolve(AUTHORITY + ".crt"));
        }
        System.out.println("\nNext, for each machine that is to be backed up, here, while its own 'init' asks:\n\n"
                + "  backup-agent invite NAME" + setup.inWords() + "\n\nThat waits on port " + InviteCommand.USUAL_PORT
                + " of " + hosts.get(0) + " for the machine that shows the token.");
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }
}
