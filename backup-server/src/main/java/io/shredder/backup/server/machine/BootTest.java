// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import io.shredder.backup.server.guest.ImageBytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Starts a throw-away machine from an image and waits for a sign of life. The image is only read: the machine writes
 * to an overlay that goes with it. Runs in the caller's thread.
 */
public final class BootTest {

    private static final long PAUSE_MS = 100;
    private static final int LAST_LINES = 12;

    private final MachineOptions options;
    private final Signs signs;
    private final Consumer<String> remarks;

    /**
     * What is waited for; the first that is seen is enough.
     *
     * @param console a line of the serial console
     * @param port of a server in the machine
     * @param guestAgent whether QEMU's guest agent is
     */
    public record Signs(Optional<Pattern> console, OptionalInt port, boolean guestAgent) {

        /** Checks that there is something to wait for. */
        public Signs {
            if (console.isEmpty() && port.isEmpty() && !guestAgent) {
                throw new IllegalArgumentException("no sign of life is named");
            }
        }
    }

    /**
     * How it went.
     *
     * @param alive whether a sign was seen in time
     * @param sign which, or what was waited for
     * @param elapsed from QEMU's start to the sign, or to the end of patience
     * @param accelerator kvm or tcg
     * @param firmware bios or uefi
     * @param console the last lines of the serial console
     */
    public record Outcome(
            boolean alive, String sign, Duration elapsed, String accelerator, String firmware, List<String> console) {

        /** @param console copied */
        public Outcome {
            console = List.copyOf(console);
        }
    }

    /**
     * With these options.
     *
     * @param remarks gets a line about what is not as might be expected
     */
    public BootTest(MachineOptions options, Signs signs, Consumer<String> remarks) {
        this.options = options;
        this.signs = signs;
        this.remarks = remarks;
    }

    /**
     * Runs the test.
     *
     * @param image the same image as {@code disk}, to see what starts it
     * @param disk the image as QEMU names it: a path, or {@code nbd+unix:///?socket=PATH}; read only
     * @param picture where a picture of the screen goes
     * @throws IOException if the machine can't be started, or ends before there is a sign
     */
    public Outcome run(ImageBytes image, String disk, Optional<Path> picture) throws IOException {
        boolean kvm = kvm();
        boolean uefi = uefi(image);
        OptionalInt hostPort = signs.port().isPresent() ? OptionalInt.of(freePort()) : OptionalInt.empty();
        QemuMachine.Start start = new QemuMachine.Start(
                disk, networked(), kvm, uefi, hostPort, signs.port().orElse(0));
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (QemuMachine machine = QemuMachine.start(start, temporary)) {
            long startNs = System.nanoTime();
            Optional<LifeSign> seen = await(machine, expected(machine, hostPort), startNs);
            Duration elapsed = Duration.ofNanos(System.nanoTime() - startNs);
            if (picture.isPresent()) {
                machine.picture(picture.get());
            }
            return new Outcome(
                    seen.isPresent(),
                    seen.map(LifeSign::text).orElse(text(expected(machine, hostPort))),
                    elapsed,
                    kvm ? "kvm" : "tcg",
                    uefi ? "uefi" : "bios",
                    machine.console().lastLines(LAST_LINES));
        }
    }

    private Optional<LifeSign> await(QemuMachine machine, List<LifeSign> expected, long startNs) throws IOException {
        while (System.nanoTime() - startNs < options.patience().toNanos()) {
            for (LifeSign sign : expected) {
                if (sign.isSeen()) {
                    return Optional.of(sign);
                }
            }
            machine.requireRunning();
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while a sign of life was waited for", e);
            }
        }
        return Optional.empty();
    }

    private List<LifeSign> expected(QemuMachine machine, OptionalInt hostPort) {
        List<LifeSign> expected = new ArrayList<>();
        signs.console().ifPresent(pattern -> expected.add(new ConsoleSign(machine.console(), pattern)));
        if (signs.guestAgent()) {
            expected.add(new GuestAgentSign(machine.agentSocket()));
        }
        hostPort.ifPresent(port -> expected.add(new PortSign(signs.port().orElseThrow(), port)));
        return expected;
    }

    private static String text(List<LifeSign> expected) {
        return String.join(" or ", expected.stream().map(LifeSign::text).toList());
    }

    /** A port can't be reached without a network; then it is one that leads nowhere else. */
    private MachineOptions networked() {
        if (signs.port().isEmpty() || options.network() != MachineOptions.Network.NONE) {
            return options;
        }
        return new MachineOptions(
                options.memoryMib(),
                options.cores(),
                MachineOptions.Network.ISOLATED,
                options.disk(),
                options.accelerator(),
                options.firmware(),
                options.patience());
    }

    private boolean kvm() throws IOException {
        boolean usable = QemuPrograms.hasKvm();
        if (options.accelerator() == MachineOptions.Accelerator.KVM && !usable) {
            throw new IOException("/dev/kvm can't be opened: put this user into the group kvm, or --accelerator tcg");
        }
        if (options.accelerator() == MachineOptions.Accelerator.AUTO && !usable) {
            remarks.accept("/dev/kvm can't be opened: the machine runs without it, several times slower");
        }
        return usable && options.accelerator() != MachineOptions.Accelerator.TCG;
    }

    private boolean uefi(ImageBytes image) throws IOException {
        return switch (options.firmware()) {
            case BIOS -> false;
            case UEFI -> {
                if (QemuPrograms.uefi().isEmpty()) {
                    throw new IOException("no UEFI firmware is installed: 'apt install ovmf'");
                }
                yield true;
            }
            case AUTO -> {
                boolean wanted = EfiPartition.isIn(image);
                if (wanted && QemuPrograms.uefi().isEmpty()) {
                    remarks.accept("the image has an EFI system partition, but no UEFI firmware is installed ('apt"
                            + " install ovmf'): it is started by BIOS");
                }
                yield wanted && QemuPrograms.uefi().isPresent();
            }
        };
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
