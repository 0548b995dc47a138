// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import io.shredder.it.exact.cases.JobCase.Origin;
import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.ArrayList;
import java.util.List;

/** Jobs that others wrote, as they are on Maven Central. */
final class StockJobs {
    private static final String EXAMPLES = "org.apache.hadoop.examples.";
    private static final String TEXT = "org.apache.hadoop.io.Text";

    private static final String TEXT_OUTPUT = "org.apache.hadoop.mapreduce.lib.output.TextOutputFormat";
    private static final String AWK_SUM =
            "awk -F '\\t' '{ sum[$1] += $2 } END { for (word in sum) print word \"\\t\" sum[word] | \"LC_ALL=C sort\" }'";
    private static final String PYTHON_WORDS =
            "import sys; [print(word, 1, sep=chr(9)) for line in sys.stdin for word in line.split()]";

    private StockJobs() {}

    static List<JobCase> cases() {
        var cases = new ArrayList<>(examples());
        cases.addAll(streaming());
        cases.add(avro("avro-wordcount", "net.acme.avro.AvroWordCount"));
        // Without this Avro's old input format looks at files alone whose names end with .avro.
        cases.add(avro("avro-wordcount-old-api", "net.acme.avro.OldAvroWordCount")
                .given(now -> now.option("avro.mapred.ignore.inputs.without.extension", "false")));
        return cases;
    }

    private static List<JobCase> examples() {
        return List.of(
                // The programs of these end the process that they run in, so their jobs are set up by drivers of the
                // same words.
                example("wordcount", "net.acme.stock.WordCountDriver").with(Trait.ALSO_ON_YARN),
                example("secondarysort", "net.acme.stock.SecondarySortDriver").over(InputKind.NUMBERS),
                example("aggregatewordcount", "net.acme.stock.AggregateWordCountDriver"),
                example("aggregatewordhist", "net.acme.stock.AggregateWordHistogramDriver"),
                example("wordmean", EXAMPLES + "WordMean").with(Trait.OWN_REDUCERS),
                example("wordmedian", EXAMPLES + "WordMedian").with(Trait.OWN_REDUCERS, Trait.OPTIONS_IN_SITE),
                example("wordstandarddeviation", EXAMPLES + "WordStandardDeviation")
                        .with(Trait.OWN_REDUCERS),
                example("grep", EXAMPLES + "Grep").given(now -> now.arguments("${input}", "${output}", "w1[0-9]+")),
                // As text, for every SequenceFile has a random marker; its keys are drawn so that none comes twice, for
                // MapReduce
                // leaves the order of values open.
                example("sort", EXAMPLES + "Sort")
                        .over(InputKind.SEQUENCE)
                        .given(now -> now.arguments(
                                "-r",
                                "1",
                                "-outKey",
                                TEXT,
                                "-outValue",
                                TEXT,
                                "-outFormat",
                                TEXT_OUTPUT,
                                "${input}",
                                "${output}"))
                        .with(Trait.OWN_REDUCERS),
                example("join", EXAMPLES + "Join")
                        .over(InputKind.SORTED_SEQUENCES)
                        .given(now -> now.arguments(
                                "-r", "1", "-outKey", TEXT, "-outFormat", TEXT_OUTPUT, "${input}", "${output}"))
                        .with(Trait.OWN_REDUCERS, Trait.PATHS_AS_WORDS, Trait.UNSERVED_FORMAT),
                example("multifilewc", EXAMPLES + "MultiFileWordCount").with(Trait.UNSERVED_FORMAT),
                example("terasort", EXAMPLES + "terasort.TeraSort")
                        .over(InputKind.TERA)
                        .with(Trait.UNSERVED_FORMAT));
    }

    private static List<JobCase> streaming() {
        return List.of(
                streaming("streaming-awk", "awk '{ print $1 \"\\t\" NF }'", AWK_SUM)
                        .with(Trait.ALSO_ON_YARN),
                streaming("streaming-python", "python3 -c \"" + PYTHON_WORDS + "\"", AWK_SUM),
                streaming("streaming-cat", "cat", "wc -l"),
                // The script is a side table, in its way.
                streaming("streaming-script", "awk -f ${local}/map.awk", AWK_SUM)
                        .given(now -> now.onDisk("map.awk", "{ print $1 \"\\t1\" }\n"))
                        .then("the script changed", now -> now.onDisk("map.awk", "{ print $1 \"\\t2\" }\n")),
                watched("streaming-watched-awk", "awk '{ print $1 \"\\t\" NF }'", AWK_SUM)
                        .with(Trait.ALSO_ON_YARN),
                watched("streaming-watched-python", "python3 -c \"" + PYTHON_WORDS + "\"", AWK_SUM),
                watched("streaming-watched-cat", "cat", "wc -l"),
                watched("streaming-watched-script", "awk -f ${local}/map.awk", AWK_SUM)
                        .with(Trait.ALSO_ON_YARN)
                        .given(now -> now.onDisk("map.awk", "{ print $1 \"\\t1\" }\n"))
                        .then("the script changed", now -> now.onDisk("map.awk", "{ print $1 \"\\t2\" }\n")),
                watched(
                                "streaming-watched-table",
                                "sh -c 'if test -e ${local}/table; then sed -f ${local}/table; else cat; fi'",
                                AWK_SUM)
                        .with(Trait.ALSO_ON_YARN)
                        .then("a table came", now -> now.onDisk("table", "s/w1/one/\n"))
                        .then("the table changed", now -> now.onDisk("table", "s/w1/another/\n")),
                watched("streaming-watched-daemon", "sh -c '(sleep 20 >/dev/null 2>&1 <&- &) ; cat'", AWK_SUM),
                watched("streaming-watched-files", "sh -c 't=$(mktemp) && cat > $t && sort $t && rm $t'", AWK_SUM),
                // From here on what the manual of streaming shows.
                watched("streaming-watched-aggregate", "awk '{ print \"LongValueSum:\" $1 \"\\t1\" }'", "aggregate")
                        .with(Trait.ALSO_ON_YARN),
                watched("streaming-watched-combiner", "awk '{ print $1 \"\\t\" NF }'", AWK_SUM)
                        .given(now -> now.moreArguments("-combiner", AWK_SUM)),
                watched("streaming-watched-partitioner", "awk '{ print $1 \".\" $2 \"\\t1\" }'", AWK_SUM)
                        .given(now -> now.option("map.output.key.field.separator", ".")
                                .option("mapreduce.partition.keypartitioner.options", "-k1,1")
                                .moreArguments(
                                        "-partitioner", "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner")));
    }

    private static JobCase streaming(String name, String mapper, String reducer) {
        return JobCase.of(name, Origin.STREAMING, "org.apache.hadoop.streaming.StreamJob", InputKind.LINES)
                .given(now -> now.arguments(
                        "-input", "${input}", "-output", "${output}", "-mapper", mapper, "-reducer", reducer));
    }

    /** One whose user says that its programs ignore their task. */
    private static JobCase watched(String name, String mapper, String reducer) {
        return streaming(name, mapper, reducer).given(now -> now.option("incoop.programs.ignore.task", "true"));
    }

    private static JobCase avro(String name, String program) {
        return JobCase.of(name, Origin.AVRO, program, InputKind.AVRO);
    }

    private static JobCase example(String name, String program) {
        return JobCase.of(name, Origin.EXAMPLES, program, InputKind.LINES);
    }
}
