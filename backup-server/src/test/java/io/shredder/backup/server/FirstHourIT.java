// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From nothing to a verified restore by the commands that {@code init} names, as processes, on loopback. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FirstHourIT {

    private static final String AGENT = "io.shredder.backup.agent.cli.AgentMain";
    private static final String OPERATOR = "io.shredder.backup.server.cli.ShredderBackupMain";
    private static final String DAEMON = "io.shredder.backup.server.cli.BackupServerMain";
    private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private record Result(int exitCode, String out, String err) {}

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path there;
    private Path here;
    private Path image;

    @BeforeEach
    void choose() throws IOException {
        there = folder.resolve("backup site");
        here = folder.resolve("source site");
        image = folder.resolve("vm \"1\".img");
        Sites.random(image, new Random(7), 3_000_000);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    private ProcessBuilder program(String main, String... words) {
        List<String> command = ProgramJava.words(JVM, main);
        command.addAll(Arrays.asList(words));
        ProcessBuilder program = new ProcessBuilder(command);
        program.environment()
                .put(
                        "SHREDDER_BACKUP_CONFIG",
                        here.resolve("backup-server.yaml").toString());
        program.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        return program;
    }

    private Result run(String main, String... words) throws IOException, InterruptedException {
        Path err = Files.createTempFile(folder, "err", ".txt");
        Process process = program(main, words).redirectError(err.toFile()).start();
        started.add(process);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), out, Files.readString(err));
    }

    private String ok(String main, String... words) throws IOException, InterruptedException {
        Result result = run(main, words);
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        return result.out();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Invites, and returns the token; the invitation waits on. */
    private String invite(Process waiting) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(waiting.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("  shredder-backup init --token ")) {
                return line.strip().substring("shredder-backup init --token ".length());
            }
        }
        throw new IOException("no token");
    }

    private String[] words(String place, String token) {
        return new String[] {
            "init",
            "--dir=" + here,
            "--token=" + token,
            "--image=vm=" + place,
            "--paper=" + folder.resolve("paper"),
            "--state=" + here.resolve("state"),
            "--no-start"
        };
    }

    @Test
    void twoMachinesAreSetUpWithoutCopyingAnyKey() throws IOException, InterruptedException {
        int port = freePort();
        String repository = folder.resolve("repository").toString();
        String said = ok(
                AGENT,
                "init",
                "--dir=" + there,
                "--address=localhost,127.0.0.1",
                "--repo=" + repository,
                "--listen=127.0.0.1:" + port,
                "--no-start");
        assertThat(said).contains("backup-agent invite NAME --dir " + there);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there.resolve("authority"))))
                .isEqualTo("rwx------");
        Result again = run(AGENT, "init", "--dir=" + there, "--address=localhost", "--no-start");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("exists: this machine is set up already");

        serve(repository, port);
        Process invitation = program(
                        AGENT, "invite", "site1", "--dir=" + there, "--listen=127.0.0.1:0", "--agent-port=" + port)
                .start();
        started.add(invitation);
        String token = invite(invitation);

        Result absent = run(OPERATOR, words(folder.resolve("absent.img").toString(), token));
        assertThat(absent.exitCode()).isEqualTo(1);
        assertThat(absent.err()).contains("absent.img");
        for (String wrong :
                List.of("--schedule=whenever", "--paper=" + image, "--paper=" + folder.resolve("none/paper"))) {
            List<String> words = new ArrayList<>(List.of(words(image.toString(), token)));
            words.removeIf(word -> word.startsWith(wrong.substring(0, wrong.indexOf('='))));
            words.add(wrong);
            Result refused = run(OPERATOR, words.toArray(String[]::new));
            assertThat(refused.err())
                    .containsAnyOf("is not a schedule", "exists: name another file", "nothing can be written");
            assertThat(refused.exitCode()).isEqualTo(1);
        }
        assertThat(Files.exists(here)).as("nothing is made").isFalse();

        said = ok(OPERATOR, words(image.toString(), token));
        assertThat(said).contains("answers: 0 snapshots", "backup-server run nightly");
        assertThat(invitation.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(invitation.exitValue()).isZero();
        assertThat(Files.readString(there.resolve("rights.yaml"))).contains("  site1:\n    rights: [append, restore]");
        for (String secret : List.of("client.key", "backup.key", "backup.secret")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(here.resolve(secret))))
                    .isEqualTo("rw-------");
        }

        ok(DAEMON, "run", "nightly", "--config=" + here.resolve("backup-server.yaml"));
        assertThat(ok(OPERATOR, "list")).contains("vm");
        Path restored = folder.resolve("restored.img");
        ok(OPERATOR, "restore", "vm", "--to", restored.toString());
        assertThat(restored).hasSameBinaryContentAs(image);
        ok(OPERATOR, "verify");
        assertThat(Files.readAllLines(folder.resolve("paper")))
                .containsAll(ok(OPERATOR, "key", "paper").lines().toList());
        ok(OPERATOR, "backup", image.toString(), "--name", "vm", "--state=" + folder.resolve("by-hand"));
        Result prune = run(OPERATOR, "prune", "vm", "--keep-last", "1");
        assertThat(prune.err()).contains("prune");
        assertThat(prune.exitCode()).isEqualTo(1);
        usedUp(token);
    }

    private void serve(String repository, int port) throws IOException, InterruptedException {
        Path portFile = folder.resolve("port");
        Process agent = program(
                        AGENT,
                        "serve",
                        "--repo=" + repository,
                        "--listen=127.0.0.1:" + port,
                        "--port-file=" + portFile,
                        "--rights=" + there.resolve("rights.yaml"),
                        "--cert=" + there.resolve("agent.crt"),
                        "--key=" + there.resolve("agent.key"),
                        "--ca=" + there.resolve("ca.crt"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("agent.log").toFile())
                .start();
        started.add(agent);
        while (!Files.exists(portFile)) {
            assertThat(agent.isAlive()).as("the agent lives").isTrue();
            Thread.sleep(20);
        }
    }

    private void usedUp(String token) throws IOException, InterruptedException {
        Files.delete(folder.resolve("paper"));
        Path first = here;
        here = folder.resolve("another");
        Result late = run(OPERATOR, words(image.toString(), token));
        assertThat(late.exitCode()).isEqualTo(1);
        assertThat(late.err()).contains("can't join", "is 'backup-agent invite' waiting there?");
        assertThat(Files.exists(here.resolve("backup-server.yaml"))).isFalse();
        here = first;
    }

    @Test
    void anInvitationThatNobodyTakesLeavesNothing() throws IOException, InterruptedException {
        ok(AGENT, "init", "--dir=" + there, "--address=localhost", "--no-start");
        String before = Files.readString(there.resolve("rights.yaml"));
        Process invitation = program(AGENT, "invite", "site1", "--dir=" + there, "--listen=127.0.0.1:0")
                .start();
        started.add(invitation);
        assertThat(invite(invitation)).startsWith("localhost:");
        invitation.destroy();
        invitation.waitFor();
        assertThat(Files.readString(there.resolve("rights.yaml"))).isEqualTo(before);
        Result none = run(AGENT, "invite", "site1", "--dir=" + here);
        assertThat(none.err()).contains("run 'backup-agent init' first");
        assertThat(none.exitCode()).isEqualTo(1);
        Result wrong = run(AGENT, "invite", "site1", "--dir=" + there, "--rights=all");
        assertThat(wrong.err()).contains("'all' is no right");
        assertThat(wrong.exitCode()).isEqualTo(2);
    }

    @Test
    void whereNobodyCanBeAskedOptionsMustSayAll() throws IOException, InterruptedException {
        Result agent = run(AGENT, "init", "--dir=" + there, "--no-start");
        assertThat(agent.err()).contains("--address is missing, and there is no terminal to ask at");
        assertThat(agent.exitCode()).isEqualTo(1);
        Result source = run(OPERATOR, "init", "--dir=" + here);
        assertThat(source.err()).contains("--token is missing");
        Result bad = run(OPERATOR, "init", "--dir=" + here, "--token=x");
        assertThat(bad.err()).contains("this is not a whole token");
        assertThat(Files.exists(here)).isFalse();
    }
}
