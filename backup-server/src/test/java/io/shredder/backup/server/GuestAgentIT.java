// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Freezing by the guest agent's real program. It runs in name spaces of its own that have no disk, and without rights
 * outside of them: it goes all its ways, calls its hooks, and can freeze nothing of this machine.
 */
class GuestAgentIT {

    private static final int MIB = 1 << 20;

    /** Everything that the program needs is copied: what is mounted from outside would be on its list to freeze. */
    private static final String INSIDE =
            """
            set -e
            mount -t tmpfs none /mnt
            mkdir -p /mnt/proc /mnt/bin /mnt/s /mnt/dev
            for file in $(ldd /usr/sbin/qemu-ga /bin/dash | grep -o '/[^ :]*'); do
              mkdir -p /mnt$(dirname $file)
              cp -L $file /mnt$file
            done
            cp -L /usr/sbin/qemu-ga /mnt/bin/
            cp -L /bin/dash /mnt/bin/sh
            printf '#!/bin/sh\\necho $1 >>/s/hooks\\n[ $1 = thaw ] || exit %s\\n' $1 >/mnt/s/hook
            chmod 755 /mnt/s/hook
            mount -t proc proc /mnt/proc
            exec chroot /mnt /bin/qemu-ga -m unix-listen -p /s/ga -t /s -f /s/pid --fsfreeze-hook=/s/hook
            """;

    @TempDir
    private Path folder;

    private Sites sites;
    private RunningQemu qemu;
    private Optional<Process> guest = Optional.empty();

    @BeforeEach
    void start() throws Exception {
        for (String program : List.of("/usr/bin/qemu-system-x86_64", "/usr/bin/qemu-img", "/usr/sbin/qemu-ga")) {
            assumeTrue(Files.isExecutable(Path.of(program)), program + " is not there: tools/packages.sh open");
        }
        assumeTrue(
                new ProcessBuilder(confined("true"))
                                .redirectErrorStream(true)
                                .start()
                                .waitFor()
                        == 0,
                "this machine lets nobody make name spaces");
        sites = new Sites(folder);
        sites.startAgent();
        qemu = new RunningQemu(folder).disk("root.qcow2", 4 * MIB, new Random(3));
        qemu.start();
    }

    @AfterEach
    void stop() throws IOException {
        guest.ifPresent(Process::destroyForcibly);
        if (qemu != null) {
            qemu.close();
        }
        if (sites != null) {
            sites.close();
        }
    }

    /** Never with the superuser's rights: these would freeze this machine. */
    private static List<String> confined(String... command) {
        List<String> words = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            words.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        words.addAll(List.of("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child"));
        words.addAll(List.of(command));
        return words;
    }

    /** Starts the agent; returns its folder. */
    private Path startGuest(int hookExitCode) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(confined("sh", "-c", INSIDE, "guest", Integer.toString(hookExitCode)));
        builder.directory(Path.of("/").toFile()).redirectErrorStream(true);
        Process process =
                builder.redirectOutput(folder.resolve("guest.log").toFile()).start();
        guest = Optional.of(process);
        TrialRun.await(
                "the guest agent",
                30_000,
                () -> socket(process).filter(TestProgram::answers).isPresent() || !process.isAlive());
        Optional<Path> socket = socket(process);
        assertThat(socket).as(Files.readString(folder.resolve("guest.log"))).isPresent();
        return socket.orElseThrow().resolveSibling("");
    }

    private static Optional<Path> socket(Process process) {
        return process.descendants()
                .map(each -> Path.of("/proc", Long.toString(each.pid()), "root/s/ga"))
                .filter(Files::exists)
                .findFirst();
    }

    private Sites.Result backUp(Path guestFolder, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("backup-machine", "qmp:" + qemu.qmp(), "--name", "vm"));
        words.addAll(List.of("--scratch", folder.toString()));
        words.addAll(List.of("--guest-agent", guestFolder.resolve("ga").toString()));
        words.addAll(List.of(options));
        return sites.here(words.toArray(String[]::new));
    }

    @Test
    void fileSystemsRestWhileTheDisksAreTaken() throws Exception {
        Path inside = startGuest(0);
        for (String when : List.of("auto", "required")) {
            Sites.Result result = backUp(inside, "--freeze", when);
            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out()).containsPattern("file systems rested at most [0-9]+ ms");
            assertThat(result.err()).doesNotContain("frozen");
        }
        assertThat(Files.readAllLines(inside.resolve("hooks"))).containsExactly("freeze", "thaw", "freeze", "thaw");
        assertThat(backUp(inside, "--freeze", "never").exitCode()).isZero();
        assertThat(Files.readAllLines(inside.resolve("hooks"))).hasSize(4);
    }

    @Test
    void whatCannotBeFrozenIsThawedAndSaid() throws Exception {
        Path inside = startGuest(1);
        Sites.Result warned = backUp(inside);
        assertThat(warned.exitCode()).as(warned.err()).isZero();
        assertThat(warned.err())
                .contains("the guest's file systems were not frozen: guest-fsfreeze-freeze failed: ", "loss of power");
        assertThat(Files.readAllLines(inside.resolve("hooks")))
                .startsWith("freeze", "thaw")
                .endsWith("thaw");
        Sites.Result refused = backUp(inside, "--freeze", "required");
        assertThat(refused.exitCode()).isOne();
        assertThat(refused.err()).contains("were not frozen, which is required");
        assertThat(qemu.ask("query-block-jobs", Map.of())).isEmpty();
        assertThat(qemu.ask("query-named-block-nodes", Map.of("flat", true)).toString())
                .doesNotContain("\"node-name\":\"shredder-");
        assertThat(qemu.bitmaps("root.qcow2")).hasSize(1);
    }
}
