// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the cores that this program may run on have had nothing to do, whoever else uses them. It is Linux's own
 * count (proc(5), {@code stat}), in steps of 10 ms for each core. Empty where there is none, such as in a sandbox. Any
 * number of threads.
 */
final class IdleCores implements Supplier<OptionalLong> {

    private static final Logger LOG = LoggerFactory.getLogger(IdleCores.class);
    private static final long TICK_NS = 10_000_000;
    private static final int IDLE_FIELD = 4;
    private static final int WAITING_FOR_DISK_FIELD = 5;

    private final Path proc;

    IdleCores() {
        this(Path.of("/proc"));
    }

    IdleCores(Path proc) {
        this.proc = proc;
    }

    /** In nanoseconds, summed over the cores, since the system began. */
    @Override
    public OptionalLong get() {
        try {
            BitSet allowed = allowed(lines("self/status"));
            long ticks = 0;
            for (String line : lines("stat")) {
                String[] fields = line.split("\\s+", -1);
                if (fields[0].matches("cpu\\d{1,6}") && allowed.get(Integer.parseInt(fields[0].substring(3)))) {
                    ticks += Long.parseLong(fields[IDLE_FIELD]) + Long.parseLong(fields[WAITING_FOR_DISK_FIELD]);
                }
            }
            return ticks == 0 ? OptionalLong.empty() : OptionalLong.of(ticks * TICK_NS);
        } catch (IOException | RuntimeException e) {
            LOG.debug("idle cores are not known: {}", e.toString());
            return OptionalLong.empty();
        }
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(proc.resolve(file), StandardCharsets.ISO_8859_1);
    }

    /** Of a line such as {@code Cpus_allowed_list: 0-3,8}. */
    private static BitSet allowed(List<String> status) {
        BitSet cores = new BitSet();
        for (String line : status) {
            if (line.startsWith("Cpus_allowed_list:")) {
                for (String range :
                        line.substring(line.indexOf(':') + 1).strip().split(",", -1)) {
                    String[] ends = range.split("-", -1);
                    cores.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
                }
            }
        }
        return cores;
    }
}
