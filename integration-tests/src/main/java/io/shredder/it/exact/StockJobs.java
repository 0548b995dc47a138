// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.JobCase.Origin;
import io.shredder.it.exact.JobCase.Trait;
import java.util.List;

/** Jobs that others wrote, as they are on Maven Central. */
final class StockJobs {
    private static final String EXAMPLES = "org.apache.hadoop.examples.";
    private static final String TEXT = "org.apache.hadoop.io.Text";

    private StockJobs() {}

    static List<JobCase> cases() {
        return List.of(
                // The programs of these end the process that they run in, so their jobs are set up by drivers of the
                // same words.
                example("wordcount", "net.acme.stock.WordCountDriver").with(Trait.ALSO_ON_YARN),
                example("secondarysort", "net.acme.stock.SecondarySortDriver").over(InputKind.NUMBERS),
                example("aggregatewordcount", "net.acme.stock.AggregateWordCountDriver"),
                example("aggregatewordhist", "net.acme.stock.AggregateWordHistogramDriver"),
                example("wordmean", EXAMPLES + "WordMean").with(Trait.OWN_REDUCERS),
                example("wordstandarddeviation", EXAMPLES + "WordStandardDeviation")
                        .with(Trait.OWN_REDUCERS),
                example("grep", EXAMPLES + "Grep").given(now -> now.arguments("${input}", "${output}", "w1[0-9]+")),
                example("sort", EXAMPLES + "Sort")
                        .over(InputKind.SEQUENCE)
                        .given(now ->
                                now.arguments("-r", "1", "-outKey", TEXT, "-outValue", TEXT, "${input}", "${output}"))
                        .with(Trait.OWN_REDUCERS),
                example("multifilewc", EXAMPLES + "MultiFileWordCount").with(Trait.UNSERVED_FORMAT),
                example("terasort", EXAMPLES + "terasort.TeraSort")
                        .over(InputKind.TERA)
                        .with(Trait.UNSERVED_FORMAT));
    }

    private static JobCase example(String name, String program) {
        return JobCase.of(name, Origin.EXAMPLES, program, InputKind.LINES);
    }
}
