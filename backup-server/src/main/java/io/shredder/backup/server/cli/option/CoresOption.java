// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.server.stage.Cores;
import io.shredder.engine.ShredderOptions;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How much of the machine a command takes. */
public final class CoresOption {

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "Use at most so many cores, and the memory that goes with them (default: all of the machine's,"
                            + " as far as the heap has 32 MiB for each).")
    private @Nullable Integer threads;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** What it may take. */
    public Cores get() {
        return Cores.atMost(allowed());
    }

    /** What it may take, if what grows with it is outside of the heap. */
    public Cores outsideHeap() {
        return Cores.outsideHeap(allowed());
    }

    /** How its engine runs. */
    public ShredderOptions engine(ShredderOptions.Devices backend) {
        return ShredderOptions.builder()
                .on(backend)
                .cpuThreads(allowed().orElse(0))
                .build();
    }

    /** Refuses it where nothing would come of it; says what it is for. */
    public void refuse(String whatFor) {
        if (threads != null) {
            throw new ParameterException(spec.commandLine(), "--threads is for " + whatFor);
        }
    }

    private OptionalInt allowed() {
        if (threads != null && threads < 1) {
            throw new ParameterException(spec.commandLine(), "--threads " + threads + ": use 1 or more");
        }
        return threads == null ? OptionalInt.empty() : OptionalInt.of(threads);
    }
}
