// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bench.HadoopCoderRates;
import io.shredder.it.bench.HadoopCoderRates.Call;
import io.shredder.it.bench.HadoopCoderRates.Memory;
import io.shredder.it.bench.HadoopCoderRates.Policy;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Row;
import io.shredder.it.programs.NativePrograms.Output;
import java.io.IOException;
import java.util.Locale;

/** The coder through Hadoop's API beside Hadoop's own coders, one core by its thread's CPU time. */
final class HadoopCodingBars {

    private HadoopCodingBars() {}

    /** Measures them. */
    static void measure(Measuring measuring) throws InterruptedException {
        measuring.attempt("through Hadoop's API", () -> throughHadoop(measuring));
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
