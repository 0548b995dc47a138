// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A real machine with a real Debian, whose database is written all the time ({@code src/main/guest/ledger.py}), and
 * which says on its serial console what it has committed.
 */
final class LedgerGuest implements AutoCloseable {

    /** Of its only disk, as its backups call it. */
    static final String DISK = "root";

    private static final long LIMIT_MS = 600_000;
    private static final String MARK = "ledger ";

    private final Path folder;
    private final Process process;

    /**
     * Starts it, and returns once its database is written.
     *
     * @param disk a qcow2 image, which changes from now on
     * @param accelerator QEMU's word
     * @param folder for its sockets and its console
     */
    LedgerGuest(Path disk, String accelerator, Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Files.deleteIfExists(console());
        List<String> command = new ArrayList<>(List.of("qemu-system-x86_64", "-accel", accelerator));
        command.addAll(List.of("-m", "512", "-smp", "1", "-display", "none", "-nodefaults"));
        command.addAll(List.of("-serial", "file:" + console(), "-qmp", "unix:" + qmp() + ",server=on,wait=off"));
        command.addAll(List.of("-drive", "if=none,id=" + DISK + ",file=" + disk + ",format=qcow2"));
        command.addAll(List.of("-device", "virtio-blk-pci,drive=" + DISK, "-device", "virtio-serial-pci"));
        command.addAll(List.of("-chardev", "socket,id=agent,path=" + guestAgent() + ",server=on,wait=off"));
        command.addAll(List.of("-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("qemu.log").toFile())
                .start();
        long untilMs = System.currentTimeMillis() + LIMIT_MS;
        while (lines().size() < 2) {
            if (!process.isAlive() || System.currentTimeMillis() > untilMs) {
                throw new IOException(
                        "the guest's database doesn't run: " + Files.readString(folder.resolve("qemu.log"))
                                + (Files.exists(console())
                                        ? "\n" + Files.readString(console(), StandardCharsets.ISO_8859_1)
                                        : ""));
            }
            Thread.sleep(500);
        }
    }

    Path qmp() {
        return folder.resolve("qmp");
    }

    Path guestAgent() {
        return folder.resolve("guest-agent");
    }

    private Path console() {
        return folder.resolve("console.log");
    }

    /** Whole lines of the database's. */
    private List<String> lines() throws IOException {
        if (!Files.exists(console())) {
            return List.of();
        }
        String said = Files.readString(console(), StandardCharsets.ISO_8859_1);
        return said.substring(0, said.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.contains(MARK))
                .map(line -> line.substring(line.indexOf(MARK) + MARK.length()).strip())
                .filter(line -> line.matches("\\d+( [0-9.]+)+"))
                .toList();
    }

    /** The last transaction that it has said to be forced. */
    long committed() throws IOException {
        List<String> lines = lines();
        return Long.parseLong(lines.get(lines.size() - 1).split(" ", 2)[0]);
    }

    /** How many seconds it has told of. */
    int seconds() throws IOException {
        return lines().size();
    }

    /** How long each transaction took in those of its seconds, in milliseconds. */
    List<Double> tookMs(int fromSecond, int toSecond) throws IOException {
        return lines().subList(fromSecond, toSecond).stream()
                .flatMap(line -> Arrays.stream(line.split(" ")).skip(1))
                .map(Double::valueOf)
                .toList();
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
