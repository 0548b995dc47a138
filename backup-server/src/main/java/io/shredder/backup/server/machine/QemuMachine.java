// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * A process of QEMU over a new overlay, in a temporary folder of its own. What the machine writes stays there and goes
 * with it. It may start no process and gain no right (QEMU's {@code -sandbox}); it is ended by {@link #close}, and at
 * the end of this JVM. One thread.
 */
final class QemuMachine implements Closeable {

    private static final Duration PROGRAM_PATIENCE = Duration.ofSeconds(60);
    private static final Duration QMP_PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_ERROR_CHARS = 2_000;

    private final Path folder;
    private final Process process;
    private final Thread atExit;

    private QemuMachine(Path folder, Process process, Thread atExit) {
        this.folder = folder;
        this.process = process;
        this.atExit = atExit;
    }

    /**
     * How a machine is started.
     *
     * @param disk the image, as QEMU names it: a path, or {@code nbd+unix:///?socket=PATH}
     * @param hostPort where a port of the machine is reached, with the port; empty for none
     */
    record Start(String disk, MachineOptions options, boolean kvm, boolean uefi, OptionalInt hostPort, int guestPort) {}

    static QemuMachine start(Start start, Path temporary) throws IOException {
        Path qemu = QemuPrograms.machine();
        Path folder = Files.createTempDirectory(temporary, "shredder-boot-");
        try {
            makeOverlay(start.disk(), folder);
            ProcessBuilder builder = new ProcessBuilder(command(qemu, start, folder))
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(folder.resolve("qemu.out").toFile())
                    .redirectError(folder.resolve("qemu.err").toFile());
            builder.environment().keySet().retainAll(List.of("PATH", "TMPDIR"));
            Process process = builder.start();
            Thread end = new Thread(
                    () -> {
                        process.destroyForcibly();
                        deleteFolder(folder);
                    },
                    "boot-end");
            Runtime.getRuntime().addShutdownHook(end);
            return new QemuMachine(folder, process, end);
        } catch (IOException e) {
            deleteFolder(folder);
            throw e;
        }
    }

    private static void makeOverlay(String disk, Path folder) throws IOException {
        Process program = new ProcessBuilder(
                        QemuPrograms.image().toString(),
                        "create",
                        "-q",
                        "-f",
                        "qcow2",
                        "-F",
                        "raw",
                        "-b",
                        disk,
                        folder.resolve("overlay.qcow2").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("qemu-img.out").toFile())
                .start();
        try {
            if (!program.waitFor(PROGRAM_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException("qemu-img made no overlay within " + PROGRAM_PATIENCE.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while qemu-img made the overlay", e);
        } finally {
            program.destroyForcibly();
        }
        if (program.exitValue() != 0) {
            throw new IOException("qemu-img made no overlay: "
                    + Files.readString(folder.resolve("qemu-img.out")).strip());
        }
    }

    private static List<String> command(Path qemu, Start start, Path folder) throws IOException {
        MachineOptions options = start.options();
        List<String> command = new ArrayList<>(List.of(qemu.toString(), "-name", "shredder-boot", "-nodefaults"));
        command.addAll(List.of("-no-user-config", "-machine", start.uefi() ? "q35" : "pc"));
        command.addAll(List.of("-accel", start.kvm() ? "kvm" : "tcg,thread=multi"));
        command.addAll(List.of("-cpu", start.kvm() ? "host" : "max"));
        command.addAll(List.of("-m", options.memoryMib() + "M", "-smp", String.valueOf(options.cores())));
        command.addAll(List.of("-sandbox", "on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny"));
        command.addAll(List.of("-display", "none", "-vga", "std", "-no-reboot"));
        command.addAll(List.of("-object", "rng-random,filename=/dev/urandom,id=random"));
        command.addAll(List.of("-device", "virtio-rng-pci,rng=random"));
        command.addAll(List.of("-serial", "file:" + folder.resolve("serial")));
        command.addAll(List.of("-qmp", "unix:" + folder.resolve("qmp") + ",server=on,wait=off"));
        command.addAll(List.of("-device", "virtio-serial-pci", "-chardev"));
        command.add("socket,id=agent,path=" + folder.resolve("agent") + ",server=on,wait=off");
        command.addAll(List.of("-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"));
        command.addAll(List.of(
                "-drive",
                "if=none,id=disk,format=qcow2,cache=unsafe,discard=unmap,file=" + folder.resolve("overlay.qcow2")));
        command.addAll(disk(options.disk()));
        command.addAll(network(start));
        if (start.uefi()) {
            List<Path> firmware = QemuPrograms.uefi().orElseThrow();
            Path variables = folder.resolve("variables.fd");
            Files.copy(firmware.get(1), variables, StandardCopyOption.REPLACE_EXISTING);
            command.addAll(List.of("-drive", "if=pflash,format=raw,readonly=on,file=" + firmware.get(0)));
            command.addAll(List.of("-drive", "if=pflash,format=raw,file=" + variables));
        }
        return command;
    }

    private static List<String> disk(MachineOptions.Disk disk) {
        return switch (disk) {
            case VIRTIO -> List.of("-device", "virtio-blk-pci,drive=disk,bootindex=0");
            case SCSI -> List.of("-device", "virtio-scsi-pci", "-device", "scsi-hd,drive=disk,bootindex=0");
            case IDE -> List.of("-device", "ide-hd,drive=disk,bootindex=0");
        };
    }

    private static List<String> network(Start start) {
        MachineOptions.Network network = start.options().network();
        if (network == MachineOptions.Network.NONE) {
            return List.of("-nic", "none");
        }
        String forward = start.hostPort().isEmpty()
                ? ""
                : ",hostfwd=tcp:127.0.0.1:" + start.hostPort().getAsInt() + "-:" + start.guestPort();
        String restrict = network == MachineOptions.Network.ISOLATED ? ",restrict=on" : "";
        return List.of("-nic", "user,model=virtio-net-pci" + restrict + forward);
    }

    SerialConsole console() {
        return new SerialConsole(folder.resolve("serial"));
    }

    /** Where QEMU's guest agent is reached. */
    Path agentSocket() {
        return folder.resolve("agent");
    }

    /**
     * Checks that it still runs.
     *
     * @throws IOException if not; says what QEMU said
     */
    void requireRunning() throws IOException {
        if (!process.isAlive()) {
            String said = Files.readString(folder.resolve("qemu.err")).strip();
            String end = said.substring(Math.max(0, said.length() - MOST_ERROR_CHARS));
            throw new IOException("the machine has ended, with exit code " + process.exitValue()
                    + (end.isEmpty() ? ": it was shut down or reset from inside" : ": " + end));
        }
    }

    /** Keeps a picture of its screen: PNG, or PPM from QEMU older than 7.1. */
    void picture(Path file) throws IOException {
        Path own = folder.resolve("screen");
        try (JsonLines qmp = JsonLines.connect(folder.resolve("qmp"), QMP_PATIENCE)) {
            qmp.askNumbered("qmp_capabilities", Map.of(), QMP_PATIENCE);
            try {
                qmp.askNumbered("screendump", Map.of("filename", own.toString(), "format", "png"), QMP_PATIENCE);
            } catch (IOException e) {
                qmp.askNumbered("screendump", Map.of("filename", own.toString()), QMP_PATIENCE);
            }
        }
        Files.copy(own, file, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(PROGRAM_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (Runtime.getRuntime().removeShutdownHook(atExit)) {
            deleteFolder(folder);
        }
    }

    private static void deleteFolder(Path folder) {
        File[] files = folder.toFile().listFiles();
        if (files != null) {
            for (File file : files) {
                file.delete();
            }
        }
        folder.toFile().delete();
    }
}
