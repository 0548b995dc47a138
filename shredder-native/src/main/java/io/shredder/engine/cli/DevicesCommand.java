// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.engine.BackendStatus;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shredder devices}: what there is, and what would be used. */
@Command(
        name = "devices",
        description = {
            "Lists CUDA devices and backends, and says which backend would be chosen, and why.",
            "With --measure, how fast each cuts and digests, alone and together, and what to choose for that."
        },
        mixinStandardHelpOptions = true)
final class DevicesCommand implements Callable<Integer> {

    private static final Duration ROUND = Duration.ofSeconds(1);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--measure",
            description = "Cut and digest (SHA-256) bytes in memory with each backend, and with GPUs and CPU together.")
    private boolean measure;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("CUDA devices:");
        printDevices(out, CudaDevices.survey());
        out.println("Backends:");
        for (BackendStatus backend : Shredder.backends()) {
            out.printf(
                    "  %-7s %-13s  %s%n",
                    backend.name(), backend.available() ? "available" : "not available", backend.detail());
        }
        try (Shredder engine = Shredder.open(ShredderOptions.defaults())) {
            out.println("Chosen: " + engine.backendChoice());
        }
        if (measure) {
            new DeviceRates(out, ROUND).measure();
        }
        return 0;
    }

    private static void printDevices(PrintWriter out, CudaDevices devices) {
        devices.problem().ifPresent(problem -> out.println("  none: " + problem));
        for (CudaDevices.CudaDevice device : devices.list()) {
            out.printf(
                    Locale.ROOT,
                    "  %d  %s  compute capability %s  memory %s, %s free%n",
                    device.ordinal(),
                    device.name(),
                    device.computeCapability(),
                    SizeOption.format(device.totalBytes()),
                    SizeOption.format(device.freeBytes()));
        }
    }
}
