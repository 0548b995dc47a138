// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import io.shredder.it.figures.Bar;
import io.shredder.it.process.Children;
import io.shredder.it.process.MavenTests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** What the daemon tells people, by tests with real servers of HTTP and SMTP. */
final class AlertMeasures {

    /**
     * What shows a bar.
     *
     * @param name of the bar
     * @param tests classes, a comma between each two
     */
    private record Proof(String name, String tests) {}

    private static final Proof[] PROOFS = {
        new Proof("each kind raised and recovered, HTTP and SMTP", "AlertsTest,AlertMailTest"),
        new Proof("100 quiet days: no alarm; 100 bad: each once", "AlertDaysTest"),
        new Proof("files encrypted one night of 60: told that night", "UsualChangeTest"),
    };

    private AlertMeasures() {}

    static void measure(Children children, Path root, Path work, Consumer<Bar> bars)
            throws IOException, InterruptedException {
        for (Proof proof : PROOFS) {
            MavenTests ran = MavenTests.run(
                    children,
                    root,
                    "backup-server",
                    MavenTests.Kind.UNIT,
                    proof.tests(),
                    work.resolve(proof.tests() + ".log"));
            bars.accept(Bar.holds(proof.name(), ran.whole(), ran.figure(), "all pass"));
        }
    }
}
