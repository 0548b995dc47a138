// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program itself, with others under its watch. */
class ChildWatchTest {

    @TempDir
    Path folder;

    private record Run(int code, String out, String err, ChildReport report) {

        List<String> seen() {
            return report.files().stream()
                    .flatMap(seen -> ProgramStates.name(seen).stream())
                    .toList();
        }
    }

    private Run shell(String script) throws Exception {
        return run("sh", "-c", script.replace("HERE", folder.toString()));
    }

    private Run run(String... command) throws Exception {
        Path report = folder.resolve("report");
        Files.deleteIfExists(report);
        List<String> words = new ArrayList<>(
                List.of(ChildWatch.program().toString(), report.toString(), "/usr/local/bin:/usr/bin:/bin"));
        words.addAll(List.of(command));
        Process process = new ProcessBuilder(words).start();
        process.getOutputStream().close();
        String out = text(process.getInputStream());
        String err = text(process.getErrorStream());
        int code = process.waitFor();
        return new Run(code, out, err, ChildReport.read(report));
    }

    private static String text(java.io.InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void streamsAndExitCodeAreTheProgramsOwn() throws Exception {
        Run run = shell("echo out; echo err >&2; exit 7");

        assertThat(run.code()).isEqualTo(7);
        assertThat(run.out()).isEqualTo("out\n");
        assertThat(run.err()).isEqualTo("err\n");
        assertThat(run.report().hasEnded()).isTrue();
        assertThat(run.report().plainReason()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "KILL, 137", "SEGV, 139"})
    void aSignalsCodeIsAsJavaShowsIt(String signal, int code) throws Exception {
        assertThat(shell("kill -" + signal + " $$").code()).isEqualTo(code);
        assertThat(new ProcessBuilder("sh", "-c", "kill -" + signal + " $$")
                        .start()
                        .waitFor())
                .isEqualTo(code);
    }

    @Test
    void whatIsReadAskedListedAndMissedIsSeen() throws Exception {
        Files.writeString(folder.resolve("a file"), "x");
        Files.createDirectory(folder.resolve("sub"));
        Files.createSymbolicLink(folder.resolve("link"), Path.of("a file"));

        Run run = shell("cd HERE; cat 'a file' link; test -e missing; test -x sub; ls sub; readlink link");

        assertThat(run.report().plainReason()).isEmpty();
        assertThat(run.seen())
                .contains(
                        "read " + folder + "/a file",
                        "read " + folder + "/link",
                        "ask " + folder + "/missing",
                        "ask " + folder + "/sub",
                        "list " + folder + "/sub",
                        "link " + folder + "/link");
        assertThat(run.report().files()).allMatch(ChildWatchTest::isUnchanged);
    }

    private static boolean isUnchanged(SeenFile file) {
        try {
            return file.isUnchanged();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void programsLoadersAndInterpretersAreSeen() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\ncat /dev/null\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();

        Run run = run(script.toString());

        assertThat(run.code()).isZero();
        assertThat(run.seen())
                .contains("read " + script, "read /bin/sh")
                .anyMatch(name -> name.startsWith("read /lib") && name.contains("/ld-"));
        assertThat(run.seen()).anyMatch(name -> name.endsWith("/cat")).anyMatch(name -> name.contains("libc.so"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 -c 'import subprocess; subprocess.run([\"cat\", \"HERE/file\"], check=True)'",
                "python3 -c 'import os; os.posix_spawn(\"/bin/cat\", [\"cat\", \"HERE/file\"], {}); os.wait()'",
                "python3 -c 'import threading; t = threading.Thread(target=lambda: open(\"HERE/file\").read()); t.start(); t.join()'",
                "awk 'BEGIN { getline line < \"HERE/file\"; print line }'",
                "cat HERE/file | cat",
                "cd HERE && cat ./../$(basename HERE)/file",
                "cat < HERE/file"
            })
    void descendantsAndThreadsAreSeenWhateverTheyAreMadeBy(String script) throws Exception {
        Files.writeString(folder.resolve("file"), "x");

        Run run = shell(script);

        assertThat(run.report().plainReason()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.report().files())
                .anyMatch(seen -> seen.how() == SeenFile.How.READ
                        && seen.path().normalize().equals(folder.resolve("file")));
    }

    @Test
    void aStaticProgramIsSeen() throws Exception {
        Run run = run(ChildWatch.program().toString(), "--nothing");

        assertThat(run.code()).isZero();
        assertThat(run.seen()).contains("read " + ChildWatch.program());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo x > HERE/new | writes the file",
                "echo x >> HERE/old | writes the file",
                "mkdir HERE/new | leaves the file",
                "rm HERE/old | removes",
                "mv HERE/old HERE/new | renames",
                "ln -s x HERE/new | makes the system call",
                "ln HERE/old HERE/new | makes the system call",
                "chmod 777 HERE/old | changes",
                "touch HERE/old | writes the file",
                "truncate -s 0 HERE/old | writes the file",
                "mkfifo HERE/new | makes the system call",
                "cat HERE/fifo | is no ordinary file",
                "kill -0 1 | sends a signal",
                "kill -0 $PPID | sends a signal",
                "kill 0 | sends a signal",
                "ls /proc | reads /proc",
                "cat /proc/1/environ | reads /proc/1/environ",
                "cat /proc/net/dev | reads /proc/",
                "exec 3< HERE/old; chmod 600 /proc/self/fd/3 | changes",
                "python3 -c 'import socket; socket.socket()' | opens a network connection",
                "python3 -c 'import socket; socket.socketpair(type=socket.SOCK_DGRAM)' | opens a network connection",
                "python3 -c 'import os; os.fchmod(os.open(\"HERE/old\", os.O_RDONLY), 0o600)' | changes",
                "python3 -c 'import os; os.utime(\"HERE/old\")' | changes",
                "python3 -c 'import multiprocessing; multiprocessing.Lock()' | writes the file",
                "su -c true nobody | gets rights by its file",
                "unshare -r true | makes the system call",
                "mktemp | leaves the file"
            })
    void whatOnlyAPlainRunMayDoDoesNotHappen(String script, String reason) throws Exception {
        Path old = Files.writeString(folder.resolve("old"), "as it was");
        java.util.Set<java.nio.file.attribute.PosixFilePermission> mode = Files.getPosixFilePermissions(old);
        new ProcessBuilder("mkfifo", folder.resolve("fifo").toString()).start().waitFor();

        Run run = shell(script);

        assertThat(run.report().plainReason().orElse("nothing")).contains(reason);
        assertThat(run.report().hasEnded()).isTrue();
        assertThat(old).hasContent("as it was");
        assertThat(Files.getPosixFilePermissions(old)).isEqualTo(mode);
        assertThat(folder.resolve("new")).doesNotExist();
        assertThat(run.code()).isEqualTo(reason.startsWith("leaves") ? 0 : 137);
        if (script.equals("mktemp")) {
            assertThat(Path.of(run.out().trim())).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo x > /dev/null",
                "head -c 8 /dev/urandom > /dev/null",
                "t=$(mktemp); echo x > $t; mv $t $t.b; cat $t.b; rm $t.b",
                "d=$(mktemp -d); touch $d/a; rm -r $d",
                "seq 1 200000 | sort -S 100k -n | tail -1",
                "cat /proc/self/status /proc/cpuinfo > /dev/null",
                "cat /dev/stdin /proc/self/fd/0 > /dev/null",
                "sleep 0.1 & wait",
                "sleep 5 & sleep 0.5; kill $!",
                "chmod 640 HERE/old",
                "id"
            })
    void whatReachesNothingOutsideIsLet(String script) throws Exception {
        Files.setPosixFilePermissions(
                Files.writeString(folder.resolve("old"), "x"),
                java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));

        Run run = shell(script);

        assertThat(run.report().plainReason()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.report().hasEnded()).isTrue();
    }

    @Test
    void aProgramThatIsNotThereNeedsAPlainRun() throws Exception {
        Run run = run("no-such-program");

        assertThat(run.report().plainReason().orElse("")).isEqualTo("could not be started (No such file or directory)");
        assertThat(run.seen()).contains("ask /usr/bin/no-such-program");
    }

    /** What is killed or interrupted while its call is held made no call: the run is whole, or only a plain one is. */
    @Test
    void whoeverIsKilledInACallHasNotMadeIt() throws Exception {
        Files.writeString(folder.resolve("file"), "x");
        String script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sh -c 'while :; do : < HERE/file; done' &"
                + " kill -0 $!; kill -0 $!; kill -9 $!; done; wait; echo all";
        for (int i = 0; i < 20; i++) {
            Run run = shell(script);

            assertThat(run.report().plainReason().orElse("")).isIn("", "is interrupted in a system call by a signal");
            assertThat(run.report().hasEnded()).isTrue();
        }
    }

    /** The kernel hands out the newest held call first. */
    @Test
    void busyProcessesKeepNoOtherFromBeingAnswered() throws Exception {
        Files.writeString(folder.resolve("file"), "x");

        Run run =
                shell("for i in 1 2 3 4; do sh -c 'while ! test -e \"$0\"; do :; done' /no/such/file & all=\"$all $!\";"
                        + " done; sleep 0.5; for i in 1 2 3 4 5 6 7 8 9 10; do cat HERE/file; done; kill -9 $all");

        assertThat(run.out()).isEqualTo("x".repeat(10));
        assertThat(run.report().hasEnded()).isTrue();
    }

    @Test
    void aDaemonIsEnded() throws Exception {
        Path pid = folder.resolve("pid");

        Run run = shell(
                "python3 -c 'import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  print(os.getpid(), flush=True)\n"
                        + "  os.close(1); os.close(2); time.sleep(60)\n os._exit(0)\nos.wait()'");

        assertThat(run.report().plainReason().orElse("")).isEqualTo("leaves processes behind that still run");
        assertThat(ProcessHandle.of(Long.parseLong(run.out().trim()))).isEmpty();
        assertThat(pid).doesNotExist();
    }

    @Test
    void noPathIsTakenForAnotherByItsBytes() throws Exception {
        Path odd = Files.writeString(folder.resolve("a % b\nc"), "x");

        assertThat(run("cat", odd.toString()).seen()).contains("read " + odd);
    }
}
