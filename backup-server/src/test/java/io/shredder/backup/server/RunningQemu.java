// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.server.machine.JsonLines;
import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A real machine of QEMU's, whose processor stands still: what a guest would write is written by QEMU itself. Knows
 * what its disks have to hold.
 */
public final class RunningQemu implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path folder;
    private final Map<String, Path> files = new LinkedHashMap<>();
    private final Map<String, byte[]> contents = new LinkedHashMap<>();
    private final Map<String, Long> rates = new LinkedHashMap<>();
    private Process process;
    private JsonLines own;

    /** With no disk yet, and not started. */
    public RunningQemu(Path folder) {
        this.folder = folder;
    }

    /** A disk of random bytes and zeros; its name ends with its format. */
    public RunningQemu disk(String name, int bytes, Random random) throws IOException, InterruptedException {
        byte[] content = new byte[bytes];
        byte[] data = new byte[bytes / 4 * 3];
        random.nextBytes(data);
        System.arraycopy(data, 0, content, bytes / 8, data.length);
        Path raw = folder.resolve(name + ".content");
        Files.write(raw, content);
        Path file = folder.resolve(name);
        String format = name.endsWith("raw") ? "raw" : "qcow2";
        TestProgram.run("qemu-img", "convert", "-f", "raw", "-O", format, raw.toString(), file.toString());
        files.put(name, file);
        contents.put(name, content);
        return this;
    }

    /** A disk that is there, of whose content it knows nothing, read at so many bytes a second at most. */
    public RunningQemu attach(String name, Path file, long readBytesPerSecond) {
        files.put(name, file);
        rates.put(name, readBytesPerSecond);
        return this;
    }

    /** Where QMP may be spoken with it. */
    public Path qmp() {
        return folder.resolve("qmp");
    }

    public Path file(String disk) {
        return files.get(disk);
    }

    /** What a disk has to hold now. */
    public byte[] content(String disk) {
        return contents.get(disk).clone();
    }

    public long pid() {
        return process.pid();
    }

    /** Starts it. */
    public void start() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("qemu-system-x86_64", "-machine", "none", "-nodefaults", "-display", "none", "-S"));
        Path ownSocket = folder.resolve("own");
        for (Path socket : List.of(qmp(), ownSocket)) {
            Files.deleteIfExists(socket);
            command.addAll(List.of("-qmp", "unix:" + socket + ",server=on,wait=off"));
        }
        files.forEach((name, file) -> command.addAll(drive(name, file)));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("qemu.log").toFile()))
                .start();
        TrialRun.await("QEMU", 30_000, () -> !process.isAlive() || isConnected(ownSocket));
        if (!process.isAlive()) {
            throw new IOException(Files.readString(folder.resolve("qemu.log")));
        }
    }

    /** QEMU resets a connection that comes while it lets another one go: asking first whether it answers is no use. */
    private boolean isConnected(Path socket) {
        try {
            JsonLines opened = JsonLines.connect(socket, PATIENCE);
            try {
                opened.ask("qmp_capabilities", Map.of(), PATIENCE);
                own = opened;
                return true;
            } catch (IOException e) {
                opened.close();
                return false;
            }
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> drive(String name, Path file) {
        String drive = "if=none,id=" + name + ",driver=" + (name.endsWith("raw") ? "raw" : "qcow2");
        if (!rates.containsKey(name)) {
            return List.of("-drive", drive + ",file.driver=file,file.filename=" + file);
        }
        String group = name + "-rate";
        return List.of(
                "-object",
                "throttle-group,id=" + group + ",x-bps-read=" + rates.get(name),
                "-drive",
                drive + ",file.driver=throttle,file.throttle-group=" + group
                        + ",file.file.driver=file,file.file.filename=" + file);
    }

    /** Asks QEMU at the socket that backups don't use. */
    public JsonNode ask(String command, Map<String, ?> arguments) throws IOException {
        return own.ask(command, arguments, PATIENCE);
    }

    /** A write as of a guest. */
    public void write(String disk, int offset, int bytes, int pattern) throws IOException {
        Path log = folder.resolve("qemu.log");
        long saidBefore = Files.size(log);
        hmp("qemu-io " + disk + " \"write -P " + pattern + " " + offset + " " + bytes + "\"");
        hmp("qemu-io " + disk + " flush"); // So that it outlives kill -9.
        String said = Files.readString(log).substring((int) saidBefore);
        if (!said.contains("wrote " + bytes + "/" + bytes)) {
            throw new IOException("QEMU didn't write: " + said);
        }
        Arrays.fill(contents.get(disk), offset, offset + bytes, (byte) pattern);
    }

    /** Some writes of whole blocks. */
    public void writeSome(String disk, int count, Random random) throws IOException {
        int blocks = contents.get(disk).length / 4096;
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(20);
            write(disk, random.nextInt(blocks - length) * 4096, length * 4096, 1 + random.nextInt(255));
        }
    }

    public String hmp(String line) throws IOException {
        return ask("human-monitor-command", Map.of("command-line", line)).asText();
    }

    /** The names of a disk's bitmaps. */
    public List<String> bitmaps(String disk) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode block : ask("query-block", Map.of())) {
            if (block.path("device").asText().equals(disk)) {
                block.at("/inserted/dirty-bitmaps")
                        .forEach(bitmap -> names.add(bitmap.path("name").asText()));
            }
        }
        return names;
    }

    public String node(String disk) throws IOException {
        for (JsonNode block : ask("query-block", Map.of())) {
            if (block.path("device").asText().equals(disk)) {
                return block.at("/inserted/node-name").asText();
            }
        }
        throw new IOException("no disk " + disk);
    }

    /** A new length. */
    public void resize(String disk, int bytes) throws IOException {
        ask("block_resize", Map.of("device", disk, "size", bytes));
        contents.put(disk, Arrays.copyOf(contents.get(disk), bytes));
    }

    /** An orderly end. */
    public void quit() throws IOException {
        ask("quit", Map.of());
        own.close();
        awaitEnd();
    }

    /** {@code kill -9}. */
    public void kill() throws IOException {
        process.destroyForcibly();
        own.close();
        awaitEnd();
    }

    private void awaitEnd() throws IOException {
        if (!Sites.awaitExit(process, 30_000)) {
            throw new IOException("QEMU doesn't end");
        }
    }

    @Override
    public void close() throws IOException {
        if (process != null && process.isAlive()) {
            kill();
        }
    }
}
