// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A service of systemd.
 *
 * @param name such as {@code shredder-backup-agent}
 */
public record ServiceUnit(String name) {

    private static final Path RUNNING = Path.of("/run/systemd/system");
    private static final Path DROP_INS = Path.of("/etc/systemd/system");
    private static final List<Path> FOLDERS =
            List.of(DROP_INS, Path.of("/lib/systemd/system"), Path.of("/usr/lib/systemd/system"));

    /** Whether systemd runs here, has this unit, and whoever asks may start it. */
    public boolean canStart() {
        return Files.isDirectory(RUNNING)
                && FOLDERS.stream().anyMatch(folder -> Files.exists(folder.resolve(name + ".service")))
                && SetupFiles.isRoot();
    }

    /** Starts it now and whenever the machine starts. */
    public void enableNow() throws IOException, InterruptedException {
        systemctl("daemon-reload");
        systemctl("enable", "--now", name);
    }

    /** Adds to what the unit says, in a file of this name. */
    public void addDropIn(String file, String text) throws IOException {
        Path folder = DROP_INS.resolve(name + ".service.d");
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(file), text);
    }

    private void systemctl(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("systemctl"));
        command.addAll(Arrays.asList(words));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            Optional<String> first =
                    said.lines().filter(line -> !line.isBlank()).findFirst();
            throw new IOException("'" + String.join(" ", command) + "' failed: " + first.orElse("it does not say why")
                    + " (see 'journalctl -u " + name + "')");
        }
    }
}
