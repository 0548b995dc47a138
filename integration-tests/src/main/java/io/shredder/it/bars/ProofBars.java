// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.figures.Bar;
import io.shredder.it.process.MavenTests;
import java.io.IOException;
import java.nio.file.Path;

/** What tests prove: each bar runs those that are named for it, on real daemons, and counts them. */
final class ProofBars {
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
        Path file = measuring.root().resolve("target/bars/" + log + ".log");
        MavenTests ran = MavenTests.run(
                measuring.children(), measuring.root(), module, MavenTests.Kind.INTEGRATION, tests, file);
        return Bar.holds(name, ran.whole(), ran.figure(), "all pass");
    }
}
