// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.setup;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.Questions;
import io.shredder.backup.schedule.MissedRun;
import io.shredder.backup.schedule.Timetable;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.PaperKey;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.setup.JoinClient;
import io.shredder.backup.setup.JoinMessage.Joined;
import io.shredder.backup.setup.JoinToken;
import io.shredder.backup.setup.ServiceUnit;
import io.shredder.backup.setup.SetupFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shredder-backup init}: all that a source site needs, made and started. */
@Command(
        name = "init",
        description = "Set this machine up to back up its images: joins an agent by a token, makes the repository key,"
                + " its paper copy and the configuration, and starts the daemon.",
        footer = {
            "",
            "Asks at the terminal for what is not given. Overwrites nothing.",
            "The paper copy is the key: without it and this machine's disk no backup can be read."
        },
        mixinStandardHelpOptions = true)
public final class InitCommand implements Callable<Integer> {

    private static final Path USUAL_FOLDER = Path.of("/etc/shredder");
    private static final String CONFIGURATION = "backup-server.yaml";
    private static final String CLIENT = "client";
    private static final String KEY = "backup.key";
    private static final String SECRET = "backup.secret";
    /** A paper copy that goes to no file. */
    private static final String PRINTED = "-";

    private static final String NIGHTLY = "30 2 * * *";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "What 'backup-agent invite' printed at the backup site.")
    private @Nullable String token;

    @Option(
            names = "--image",
            paramLabel = "NAME=FILE",
            description = "An image to back up: a file, a block device or an NBD address; once for each.")
    private List<String> images = List.of();

    @Option(
            names = "--schedule",
            paramLabel = "CRON",
            description = "When to back up: minute, hour, day, month, weekday (default: \"" + NIGHTLY + "\").")
    private @Nullable String schedule;

    @Option(
            names = "--paper",
            paramLabel = "FILE",
            description = "Where to put the paper copy of the key, to be printed and deleted; '-' prints it here.")
    private @Nullable Path paper;

    @Option(
            names = "--dir",
            defaultValue = "/etc/shredder",
            paramLabel = "DIR",
            description = "Folder of certificates, keys and configuration (default: ${DEFAULT-VALUE}).")
    private Path folder = USUAL_FOLDER;

    @Option(
            names = "--state",
            defaultValue = "/var/lib/shredder-backup-server",
            paramLabel = "DIR",
            description = "Folder of the daemon's state (default: ${DEFAULT-VALUE}).")
    private Path state = Path.of("/var/lib/shredder-backup-server");

    @Option(names = "--no-start", description = "Don't start the daemon.")
    private boolean noStart;

    @Override
    public Integer call() throws IOException, InterruptedException {
        SetupFiles files = SetupFiles.in(folder.toAbsolutePath().normalize(), "shredder-backup");
        files.requireFree(List.of(CLIENT + ".crt", CLIENT + ".key", KEY, SECRET, CONFIGURATION));
        Questions questions = Questions.atTerminal();
        JoinToken shown = token(questions);
        List<FirstImage> chosen = images(questions);
        String when = schedule != null ? schedule : questions.orUsual("When to back up, as cron has it", NIGHTLY);
        Path copy = paper != null
                ? paper
                : Path.of(questions.ask("--paper", "Where to put the paper copy of the key ('-': print it here)", "-"));

        check(when, copy, files.folder());
        Files.createDirectories(files.folder());
        Joined joined = join(files, shown);
        makeKey(files, copy);
        makeState(files);
        files.write(CONFIGURATION, configuration(joined, chosen, when));
        ServerConfig config = ServerConfigReader.read(files.folder().resolve(CONFIGURATION));
        tryAgent(config);
        warnOfUnreadable(files, chosen);
        ServiceUnit unit = new ServiceUnit("shredder-backup-server");
        boolean starts = !noStart && unit.canStart() && files.folder().equals(USUAL_FOLDER);
        if (starts) {
            unit.enableNow();
        }
        say(files, config, chosen.get(0), starts);
        return 0;
    }

    /**
     * A token is good once: what can be wrong is found before it is shown.
     *
     * @param made a folder that will be there
     */
    private static void check(String when, Path copy, Path made) throws IOException {
        try {
            Timetable unused = Timetable.of(when, ZoneId.systemDefault(), Duration.ZERO, MissedRun.RUN);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (Files.exists(copy)) {
            throw new IOException(copy + " exists: name another file for the paper copy with --paper");
        }
        Path copyFolder = copy.toAbsolutePath().normalize().getParent();
        boolean isPrinted = copy.toString().equals(PRINTED);
        if (!isPrinted && !made.equals(copyFolder) && (copyFolder == null || !Files.isWritable(copyFolder))) {
            throw new IOException("nothing can be written to " + copyFolder
                    + ": make that folder, or name another file for the paper copy with --paper");
        }
    }

    private JoinToken token(Questions questions) throws IOException {
        try {
            return JoinToken.parse(
                    token != null
                            ? token
                            : questions.ask("--token", "The token that 'backup-agent invite' printed there", ""));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private List<FirstImage> images(Questions questions) throws IOException {
        List<FirstImage> chosen = new ArrayList<>();
        for (String image : images) {
            chosen.add(FirstImage.of(image));
        }
        if (chosen.isEmpty()) {
            chosen.add(FirstImage.of(questions.ask("--image", "An image to back up, as NAME=FILE", "")));
        }
        return chosen;
    }

    private static Joined join(SetupFiles files, JoinToken token) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            Joined joined = JoinClient.join(token, keys, PATIENCE);
            if (!Files.exists(files.folder().resolve("ca.crt"))) {
                files.writeCertificate("ca", joined.authority());
            }
            files.writeIdentity(CLIENT, joined.certificate(), keys.getPrivate());
            return joined;
        } catch (GeneralSecurityException e) {
            throw new IOException("can't make a key for this machine: " + e.getMessage(), e);
        }
    }

    private static void makeKey(SetupFiles files, Path copy) throws IOException {
        SecureRandom random = new SecureRandom();
        RepositoryKey key = RepositoryKey.generate(random);
        Path secret = files.folder().resolve(SECRET);
        Path file = files.folder().resolve(KEY);
        KeyFile.of(key, SecretFile.create(secret, random), random).create(file);
        files.give(secret);
        files.give(file);
        List<String> lines = new ArrayList<>();
        lines.add("Shredder backup key. Whoever has this paper can read every backup made with it.");
        lines.add("Bring it back: shredder-backup key create FILE --from-paper -");
        lines.add("");
        lines.addAll(PaperKey.lines(key));
        if (copy.toString().equals(PRINTED)) {
            lines.forEach(System.out::println);
            System.out.println("\nWrite this down or print it now, and put it in a safe.\n");
            return;
        }
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-------");
        Files.createFile(copy, PosixFilePermissions.asFileAttribute(mode));
        Files.write(copy, lines, StandardOpenOption.WRITE);
        System.out.println(
                "The paper copy of the key is in " + copy + ": print it, put it in a safe, delete the file.\n");
    }

    /** As the service's unit would make it: so that a job runs before the daemon does. */
    private void makeState(SetupFiles files) throws IOException {
        if (!Files.exists(state)) {
            var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
            Files.createDirectories(state.toAbsolutePath().getParent());
            files.give(Files.createDirectory(state, ownerOnly));
        }
    }

    private String configuration(Joined joined, List<FirstImage> chosen, String when) {
        return "# Made by 'shredder-backup init'; OPERATING-BACKUP.md explains every key.\n"
                + "# Check with: backup-server check-config\n"
                + "version: 1\nagent:\n  address: \"" + joined.agent() + "\"\n  certificate: " + CLIENT
                + ".crt\n  key: "
                + CLIENT + ".key\n  authority: ca.crt\nrepository-key:\n  file: " + KEY + "\n  secret-file: " + SECRET
                + "\nstate: \"" + state.toAbsolutePath().normalize() + "\"\n\njobs:\n  nightly:\n    schedule: \""
                + when + "\"\n    images:\n"
                + chosen.stream().map(FirstImage::line).collect(Collectors.joining());
    }

    /** Not to be reached is no reason to undo all. */
    private static void tryAgent(ServerConfig config) {
        try (AgentClient client = AgentClient.connect(config.agent(), config.tls())) {
            System.out.println("The agent at " + config.agent() + " answers: "
                    + client.list(0).snapshots().size() + " snapshots of this machine there.");
        } catch (IOException e) {
            System.err.println("shredder-backup: the agent can't be reached yet: " + e.getMessage());
        }
    }

    private static void warnOfUnreadable(SetupFiles files, List<FirstImage> chosen) throws IOException {
        if (files.owner().isEmpty()) {
            return;
        }
        for (FirstImage image : chosen) {
            Path path = Path.of(image.place());
            boolean isFile = image.key().equals("file") || image.key().equals("qcow2");
            if (isFile && !Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ)) {
                System.err.println("shredder-backup: the daemon runs as "
                        + files.owner().get().getName() + ", who may not be able to read " + path
                        + ": give that user its group");
            }
        }
    }

    private static void say(SetupFiles files, ServerConfig config, FirstImage first, boolean started) {
        String how = files.folder().equals(USUAL_FOLDER)
                ? ""
                : " --config " + files.folder().resolve(CONFIGURATION);
        System.out.println(
                started
                        ? "The daemon runs, and starts with the machine."
                        : "The daemon does not run; start it by: backup-server serve" + how);
        String as = files.owner()
                .map(user -> "runuser -u " + user.getName() + " -- ")
                .orElse("");
        System.out.println("\nNext, a backup now, and what comes of it:\n\n  " + as + "backup-server run "
                + config.jobs().get(0).name() + how + "\n  shredder-backup list\n  shredder-backup restore "
                + first.name() + " --to FILE\n  shredder-backup verify");
    }
}
