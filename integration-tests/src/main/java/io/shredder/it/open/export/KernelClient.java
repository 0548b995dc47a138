// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The NBD client of a Linux kernel, in a machine of its own ({@code src/main/guest/nbd-reads.sh}), so that this one's
 * kernel needs none. What the machine connects to is brought to the sockets by {@code socat}.
 */
public final class KernelClient {

    private static final int FIRST_PORT = 10_809;
    private static final int SECTOR = 512;
    private static final long LIMIT_MS = 1_800_000;
    private static final Pattern READ = Pattern.compile("nbd read (\\S+) (\\d+) ([0-9a-f]{64})\\s");

    private KernelClient() {}

    /**
     * What is to be read.
     *
     * @param socket of the export
     * @param from the first byte
     */
    public record Reading(String name, Path socket, long from, long bytes) {}

    /**
     * What the kernel found.
     *
     * @param size of its disk, bytes
     */
    public record Found(long size, String sha256) {}

    /**
     * Has it read, one after another.
     *
     * @param disk made by tools/debian-disk.sh with that service in it; it is not changed
     * @param accelerator QEMU's word
     * @param folder for console and list
     * @return what was found, by name
     */
    public static Map<String, Found> read(Path disk, String accelerator, List<Reading> readings, Path folder)
            throws IOException, InterruptedException {
        Path console = folder.resolve("kernel.log");
        Files.deleteIfExists(console);
        Path log = folder.resolve("kernel-qemu.log");
        Process machine = new ProcessBuilder(command(disk, accelerator, readings, list(readings, folder), console))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            return await(machine, console, log);
        } finally {
            machine.destroyForcibly().waitFor();
        }
    }

    private static List<String> command(
            Path disk, String accelerator, List<Reading> readings, Path list, Path console) {
        List<String> command = new ArrayList<>(List.of("qemu-system-x86_64", "-accel", accelerator, "-cpu", "max"));
        command.addAll(List.of("-m", "1024", "-smp", "2", "-display", "none", "-nodefaults"));
        command.addAll(List.of("-serial", "file:" + console));
        command.addAll(List.of("-drive", "if=virtio,format=raw,snapshot=on,file=" + disk));
        command.addAll(List.of("-drive", "if=virtio,format=raw,readonly=on,file=" + list));
        StringBuilder network = new StringBuilder("user,model=virtio-net-pci,restrict=on");
        for (int i = 0; i < readings.size(); i++) {
            network.append(",guestfwd=tcp:10.0.2.100:").append(FIRST_PORT + i);
            network.append("-cmd:socat - UNIX-CONNECT:").append(readings.get(i).socket());
        }
        command.addAll(List.of("-nic", network.toString()));
        return command;
    }

    private static Path list(List<Reading> readings, Path folder) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < readings.size(); i++) {
            Reading reading = readings.get(i);
            text.append(reading.name()).append(' ').append(FIRST_PORT + i).append(' ');
            text.append(reading.from()).append(' ').append(reading.bytes()).append('\n');
        }
        int bytes = text.length();
        text.append("\0".repeat((SECTOR - bytes % SECTOR) % SECTOR));
        return Files.writeString(
                folder.resolve("kernel.list"),
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
    }

    private static Map<String, Found> await(Process machine, Path console, Path log)
            throws IOException, InterruptedException {
        long untilMs = System.currentTimeMillis() + LIMIT_MS;
        while (true) {
            String said = Files.exists(console) ? Files.readString(console, StandardCharsets.ISO_8859_1) : "";
            if (said.contains("nbd end")) {
                return READ.matcher(said)
                        .results()
                        .collect(Collectors.toMap(
                                read -> read.group(1),
                                read -> new Found(Long.parseLong(read.group(2)), read.group(3)),
                                (first, second) -> second,
                                HashMap::new));
            }
            if (said.contains("nbd failed") || System.currentTimeMillis() > untilMs || !machine.isAlive()) {
                throw new IOException("the kernel's client: " + Files.readString(log) + lastOf(said));
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    private static String lastOf(String said) {
        return said.substring(Math.max(0, said.length() - 2_000));
    }
}
