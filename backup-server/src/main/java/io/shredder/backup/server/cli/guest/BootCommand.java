// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.guest;

import io.shredder.backup.config.ByteSize;
import io.shredder.backup.config.TimeSpan;
import io.shredder.backup.server.care.SnapshotBoot;
import io.shredder.backup.server.cli.open.OpenOptions;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.machine.BootTest;
import io.shredder.backup.server.machine.MachineOptions;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup boot}. */
@Command(
        name = "boot",
        description = {
            "Start a throw-away machine (QEMU) from a snapshot, to see that it starts; nothing of the backup changes.",
            "Waits for a sign of life and says how long it took. What the machine writes goes with it. It has no"
                    + " network unless one is asked for."
        },
        footer = {
            "",
            "Of several signs the first that is seen is enough. The exit code is 0 if one was, else 1, with the last",
            "lines of the serial console."
        },
        mixinStandardHelpOptions = true)
public final class BootCommand implements Callable<Integer> {

    private static final int MOST_PORT = 65_535;

    @Parameters(paramLabel = "NAME[@ID]", description = "The snapshot; the latest of its name without an id.")
    private SnapshotChoice choice = SnapshotChoice.parse("x");

    @Option(
            names = "--expect",
            paramLabel = "REGEX",
            description = "Wait for this on the serial console (default: login: if no other sign is named).")
    private @Nullable String expect;

    @Option(
            names = "--expect-port",
            paramLabel = "PORT",
            description = "Wait until a server in the machine answers on this TCP port; the machine gets a network that"
                    + " leads nowhere else.")
    private @Nullable Integer port;

    @Option(names = "--expect-guest-agent", description = "Wait until QEMU's guest agent answers.")
    private boolean guestAgent;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "5m",
            description = "Wait so long for a sign, such as 90s or 10m (default: ${DEFAULT-VALUE}).")
    private String patience = "5m";

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            defaultValue = "1g",
            description = "Memory of the machine (default: ${DEFAULT-VALUE}).")
    private ByteSize memory = new ByteSize(1 << 30);

    @Option(
            names = "--cpus",
            paramLabel = "N",
            defaultValue = "2",
            description = "Processors of the machine (default: ${DEFAULT-VALUE}).")
    private int cpus = 2;

    @Option(
            names = "--network",
            paramLabel = "KIND",
            defaultValue = "none",
            description = "none, isolated, or user: what this host reaches (default: ${DEFAULT-VALUE}).")
    private String network = "none";

    @Option(
            names = "--disk",
            paramLabel = "KIND",
            defaultValue = "virtio",
            description = "virtio, scsi or ide (default: ${DEFAULT-VALUE}).")
    private String disk = "virtio";

    @Option(
            names = "--accelerator",
            paramLabel = "KIND",
            defaultValue = "auto",
            description = "kvm, tcg, or auto: kvm if /dev/kvm may be opened (default: ${DEFAULT-VALUE}).")
    private String accelerator = "auto";

    @Option(
            names = "--firmware",
            paramLabel = "KIND",
            defaultValue = "auto",
            description = "bios, uefi, or auto: uefi if the image has an EFI system partition (default:"
                    + " ${DEFAULT-VALUE}).")
    private String firmware = "auto";

    @Option(names = "--picture", paramLabel = "FILE", description = "Keep a picture of the screen, as PNG.")
    private @Nullable Path picture;

    @Mixin
    private OpenOptions options = new OpenOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        BootTest test = new BootTest(machine(), signs(), line -> Warnings.print(List.of(line)));
        try (OpenOptions.Opened opened = options.open(choice)) {
            BootTest.Outcome outcome = SnapshotBoot.run(opened.reader(), test, Optional.ofNullable(picture));
            report(opened.name(), outcome);
            return outcome.alive() ? 0 : 1;
        }
    }

    private MachineOptions machine() {
        try {
            return new MachineOptions(
                    Math.toIntExact(memory.bytes() >> 20),
                    cpus,
                    MachineOptions.parse(MachineOptions.Network.class, "--network", network),
                    MachineOptions.parse(MachineOptions.Disk.class, "--disk", disk),
                    MachineOptions.parse(MachineOptions.Accelerator.class, "--accelerator", accelerator),
                    MachineOptions.parse(MachineOptions.Firmware.class, "--firmware", firmware),
                    TimeSpan.parse(patience));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private BootTest.Signs signs() {
        if (port != null && (port < 1 || port > MOST_PORT)) {
            throw new ParameterException(spec.commandLine(), "--expect-port " + port + ": use 1 to " + MOST_PORT);
        }
        boolean usual = expect == null && port == null && !guestAgent;
        try {
            return new BootTest.Signs(
                    usual
                            ? Optional.of(Pattern.compile("login:"))
                            : Optional.ofNullable(expect).map(Pattern::compile),
                    port == null ? OptionalInt.empty() : OptionalInt.of(port),
                    guestAgent);
        } catch (PatternSyntaxException e) {
            throw new ParameterException(spec.commandLine(), "--expect is no regular expression: " + e.getMessage(), e);
        }
    }

    private void report(String name, BootTest.Outcome outcome) {
        double seconds = outcome.elapsed().toMillis() / 1e3;
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("snapshot", name);
        result.put("alive", outcome.alive());
        result.put("sign", outcome.sign());
        result.put("seconds", seconds);
        result.put("accelerator", outcome.accelerator());
        result.put("firmware", outcome.firmware());
        result.put("picture", picture == null ? null : picture.toString());
        result.put("console", outcome.console());
        String how = outcome.accelerator() + ", " + outcome.firmware();
        json.print(
                () -> result,
                () -> outcome.alive()
                        ? String.format(
                                Locale.ROOT, "%s is alive after %.1f s (%s): %s", name, seconds, how, outcome.sign())
                        : String.format(
                                Locale.ROOT,
                                "%s showed no sign of life within %.0f s (%s): not %s",
                                name,
                                seconds,
                                how,
                                outcome.sign()));
        if (!outcome.alive()) {
            Warnings.print(
                    outcome.console().isEmpty()
                            ? List.of(
                                    "the serial console is empty: does the image write to it? With kvm, try --accelerator tcg")
                            : outcome.console().stream()
                                    .map(line -> "console: " + line)
                                    .toList());
        }
    }
}
