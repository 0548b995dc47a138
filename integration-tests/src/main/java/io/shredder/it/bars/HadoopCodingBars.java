// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bench.HadoopCoderRates;
import io.shredder.it.bench.HadoopCoderRates.Call;
import io.shredder.it.bench.HadoopCoderRates.Memory;
import io.shredder.it.bench.HadoopCoderRates.Policy;
import io.shredder.it.coding.CodedHdfs;
import io.shredder.it.coding.CodedWrites;
import io.shredder.it.coding.HadoopCoders;
import io.shredder.it.coding.NullCoders;
import io.shredder.it.coding.RepairCounters;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Row;
import io.shredder.it.programs.NativePrograms.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The coder in Hadoop: through its API beside Hadoop's own coders, one core by its thread's CPU time; and in HDFS on
 * real daemons, by the clock.
 */
final class HadoopCodingBars {
    private static final int WRITTEN_MIB = 512;
    private static final int ROUNDS = 15;
    private static final int REPAIRED_MIB = 1_024;
    private static final double NEARLY_NOTHING = 0.95;
    private static final String WRITE = "HDFS RS-6-3 write, ";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM_BYTES = 8L << 30;

    private HadoopCodingBars() {}

    /** Measures the parts that are asked for. */
    static void measure(Measuring measuring) throws InterruptedException {
        if (measuring.has("hadoop")) {
            measuring.attempt("through Hadoop's API", () -> throughHadoop(measuring));
        }
        if (measuring.has("hdfs")) {
            measuring.attempt("HDFS RS-6-3", () -> inHdfs(measuring));
        }
    }

    /** Its data lie in memory if there is room, so that no disk decides. */
    private static void inHdfs(Measuring measuring) throws IOException, InterruptedException {
        boolean inMemory = Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() >= ROOM_BYTES;
        Path folder = inMemory
                ? Files.createTempDirectory(MEMORY, "coded-hdfs-")
                : Files.createTempDirectory(
                        Files.createDirectories(measuring.root().resolve("target")), "coded-hdfs-");
        System.out.println("HDFS: twelve DataNodes of this machine, data in " + (inMemory ? "memory" : "target"));
        try (CodedHdfs hdfs = CodedHdfs.start(folder.resolve("work"), measuring.programs())) {
            measuring.attempt("HDFS writes", () -> writes(measuring, hdfs));
            measuring.attempt("HDFS repair", () -> repair(measuring, hdfs));
        } finally {
            Folders.delete(folder);
        }
    }

    private static void writes(Measuring measuring, CodedHdfs hdfs) throws IOException, InterruptedException {
        Output rates = hdfs.write(WRITTEN_MIB, ROUNDS);
        Row ours = row(rates, CodedWrites.row(CodedWrites.RS_SHREDDER));
        Row none = row(rates, CodedWrites.row(NullCoders.DIRECT));
        measuring.record(Bar.atLeastTimes(
                WRITE + "against a coder that does nothing",
                ours.timesFasterThan(none),
                NEARLY_NOTHING,
                whole(ours, none)));
        for (String other : List.of(NullCoders.ON_HEAP, HadoopCoders.RS_JAVA)) {
            Row theirs = row(rates, CodedWrites.row(other));
            String times = String.format(Locale.ROOT, "%.2f x %s", ours.timesFasterThan(theirs), whole(ours, theirs));
            measuring.record(Bar.reported(WRITE + "beside " + other, times));
        }
        for (String coder : List.of(CodedWrites.RS_SHREDDER, HadoopCoders.RS_JAVA)) {
            boolean right = hdfs.isRight(coder);
            measuring.record(Bar.holds(WRITE + "parity of " + coder, right, said(right), said(true)));
        }
        // Or verifyEC's word would be worth nothing.
        boolean right = hdfs.isRight(NullCoders.DIRECT);
        measuring.record(Bar.holds(WRITE + "parity of " + NullCoders.DIRECT, !right, said(right), said(false)));
    }

    private static String said(boolean right) {
        return "verifyEC: " + (right ? "OK" : "ERROR");
    }

    /** Two ways of writing: rates by the clock, and CPU time of the writer's thread. */
    private static String whole(Row ours, Row theirs) {
        return String.format(
                Locale.ROOT,
                "%s, %.0f : %.0f MB/s; its thread %.2f : %.2f CPU s/GB",
                theirs.name().substring(theirs.name().indexOf(' ') + 1),
                ours.rate() * 1e3,
                theirs.rate() * 1e3,
                ours.number(CodedWrites.CPU_PER_GB),
                theirs.number(CodedWrites.CPU_PER_GB));
    }

    private static void repair(Measuring measuring, CodedHdfs hdfs) throws IOException, InterruptedException {
        CodedHdfs.Repaired repaired = hdfs.repair(REPAIRED_MIB);
        RepairCounters ours = repaired.ours();
        RepairCounters javas = repaired.javas();
        measuring.record(Bar.reported(
                "DataNode's repair, RS-6-3, decoding",
                String.format(
                        Locale.ROOT,
                        "%.1f x rs_java, %.3f : %.3f ns a byte written",
                        javas.nsPerByte() / ours.nsPerByte(),
                        ours.nsPerByte(),
                        javas.nsPerByte())));
        measuring.record(Bar.reported("DataNode's repair by rs_shredder", counted(ours)));
        measuring.record(Bar.reported("DataNode's repair by rs_java", counted(javas)));
        measuring.record(Bar.holds(
                "DataNode's repair, all tasks done",
                ours.failed() + javas.failed() == 0 && ours.tasks() > 0 && javas.tasks() > 0,
                (ours.tasks() + javas.tasks()) + " tasks, " + (ours.failed() + javas.failed()) + " failed",
                "0 failed, by both"));
        measuring.record(Bar.holds(
                "DataNode's repair, file equal and parity right",
                repaired.right(),
                "reads as written; " + said(repaired.right()),
                said(true)));
    }

    private static String counted(RepairCounters counters) {
        return String.format(
                Locale.ROOT,
                "%d tasks, %.0f MB read, %.0f MB written, %.1f ms decoding",
                counters.tasks(),
                counters.bytesRead() / 1e6,
                counters.bytesWritten() / 1e6,
                counters.decodingNs() / 1e6);
    }

    private static void throughHadoop(Measuring measuring) throws IOException, InterruptedException {
        Output rates = HadoopCoderRates.run(measuring.programs(), "hadoop-coders");
        for (Policy policy : Policy.values()) {
            Row ours = row(rates, policy.ours(Call.ENCODE, Memory.DIRECT));
            Row javas = row(rates, policy.javas(Call.ENCODE, Memory.DIRECT));
            measuring.record(Bar.atLeastTimes(
                    title(ours), ours.timesFasterThan(javas), timesNeeded(policy), beside(ours, javas)));
        }
        for (Policy policy : Policy.values()) {
            report(measuring, rates, policy, Call.ENCODE, Memory.HEAP);
            report(measuring, rates, policy, Call.DECODE, Memory.DIRECT);
            report(measuring, rates, policy, Call.DECODE, Memory.HEAP);
        }
    }

    private static double timesNeeded(Policy policy) {
        return switch (policy) {
            case RS -> 20;
            case RS_LEGACY -> 60;
            case XOR -> 5;
        };
    }

    private static void report(Measuring measuring, Output rates, Policy policy, Call call, Memory memory)
            throws IOException {
        Row ours = row(rates, policy.ours(call, memory));
        Row javas = row(rates, policy.javas(call, memory));
        String times = String.format(Locale.ROOT, "%.2f x %s", ours.timesFasterThan(javas), beside(ours, javas));
        measuring.record(Bar.reported(title(ours), times));
    }

    private static String title(Row ours) {
        return "Hadoop's API: " + ours.name();
    }

    private static String beside(Row ours, Row javas) {
        String coder = javas.name().substring(0, javas.name().indexOf(' '));
        return String.format(Locale.ROOT, "%s, %.2f : %.3f GB/s", coder, ours.rate(), javas.rate());
    }

    private static Row row(Output rates, String name) throws IOException {
        return rates.row(name).orElseThrow(() -> new IOException("no row " + name + ": see hadoop-coders.log"));
    }
}
