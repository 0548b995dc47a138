// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bars.Measuring.Outcome;
import io.shredder.it.figures.Bar;
import java.io.IOException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What tests prove: each bar runs those that are named for it, on real daemons, and counts them. */
final class ProofBars {
    private static final Pattern SUMMARY = Pattern.compile(
            "^\\[\\w+\\] Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)$", Pattern.MULTILINE);

    private final Measuring measuring;

    ProofBars(Measuring measuring) {
        this.measuring = measuring;
    }

    void measure() throws InterruptedException {
        proof("property test: edits x jobs x reducers, part files", "property-test", "incoop-jobs", "EqualityIT");
        proof(
                "faults: tasks and AM killed, memos damaged, NameNode",
                "job-faults",
                "incoop-jobs",
                "IncrementalYarnIT,IncrementalLocalIT");
        proof("faults: DataNodes and uploads", "upload-faults", "inc-hdfs", "DataNodeLossIT,UploadFaultsIT");
    }

    private void proof(String name, String log, String module, String tests) throws InterruptedException {
        measuring.attempt(name, () -> measuring.record(ran(name, log, module, tests)));
    }

    private Bar ran(String name, String log, String module, String tests) throws IOException, InterruptedException {
        Outcome outcome = measuring.run(
                log,
                "bash",
                "-c",
                ". tools/environment.sh && use_jdk17 && maven -pl \"$1\" -am verify -Dtest=none"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=\"$2\""
                        + " -Dfailsafe.failIfNoSpecifiedTests=false",
                "bash",
                module,
                tests);
        int passed = 0;
        for (MatchResult summary : SUMMARY.matcher(outcome.text()).results().toList()) {
            passed += Integer.parseInt(summary.group(1)) - Integer.parseInt(summary.group(2));
            passed -= Integer.parseInt(summary.group(3)) + Integer.parseInt(summary.group(4));
        }
        return Bar.holds(
                name,
                outcome.succeeded() && passed > 0,
                outcome.succeeded() ? passed + " tests of " + tests : outcome.lastLine(),
                "all pass");
    }
}
