// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.scale.ScaleOptions;
import io.shredder.it.scale.ScalePlan;
import io.shredder.it.scale.ScaleReport;
import io.shredder.it.scale.ScaleResults;
import io.shredder.it.scale.ScaleRun;
import java.io.IOException;

/** Backups on many cores, of many images and of many clients. Judges all that its results have, from whatever calls. */
final class ScaleBars implements BarSet {
    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        ScaleChoice choice = measuring.scale();
        ScaleOptions options = choice.options();
        System.out.println(Machine.description());
        ScaleResults results = options.results();
        if (!options.isReport()) {
            ScalePlan plan = choice.plan(ProcessorSet.all().count());
            var place = options.place(measuring.root(), measuring.backup().peers(), measuring.children());
            ScaleRun.Ended ended = new ScaleRun(place, plan, results, options.budget()).measure();
            ended.failures()
                    .forEach(failure -> measuring.record(
                            failure.isOurs()
                                    ? Bar.holds(failure.unit(), false, failure.why(), "figures")
                                    : Bar.notRun(failure.unit(), failure.why())));
            if (ended.left() > 0) {
                System.out.println(ended.left() + " units are left: call again");
            }
        }
        System.out.println("tables: " + options.keep(new ScaleReport(results.rows()).markdown()));
        new ScaleVerdicts(results.rows()).bars().forEach(measuring::record);
    }
}
