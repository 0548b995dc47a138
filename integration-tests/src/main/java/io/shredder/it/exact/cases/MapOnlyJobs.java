// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static io.shredder.it.exact.cases.JobCase.acme;

import io.shredder.it.exact.cases.JobCase.Origin;
import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.List;

/** Jobs without reducers, whose maps write the part files. Most are also elsewhere here, and attack the same. */
final class MapOnlyJobs {

    private MapOnlyJobs() {}

    static List<JobCase> cases() {
        return List.of(
                acme("map-only", "outputs.MapOnly").with(Trait.OWN_REDUCERS, Trait.ALSO_ON_YARN),
                mapOnly(SideJobs.onHdfs(acme("map-only-table", "sides.HdfsTablePerMapper"))),
                // Plainly, statics are shared by all maps of a local job: known for one map alone.
                mapOnly(acme("map-only-static-counter", "statics.StaticCounter"))
                        .with(Trait.ONE_MAP, Trait.ALSO_ON_YARN),
                mapOnly(acme("map-only-key-printed", "keys.KeyPrinted")),
                mapOnly(acme("map-only-named-output", "outputs.MapperNamedOutput")),
                mapOnly(acme("map-only-task-number", "context.TaskNumber")),
                mapOnly(acme("map-only-split-name", "context.SplitName")),
                mapOnly(acme("map-only-empty-files", "outputs.CleanupOfEmptyFile"))
                        .with(Trait.EMPTY_FILES),
                mapOnly(acme("map-only-many-counters", "outputs.ManyCounters")).with(Trait.NO_MANIFEST),
                mapOnly(acme("map-only-old-split", "oldapi.SplitOfReporter")),
                mapOnly(LeavingJobs.leaving(acme("map-only-work-file", "files.MapperWorkFile"))),
                mapOnly(JobCase.of("map-only-avro", Origin.AVRO, "net.acme.avro.AvroWordCount", InputKind.AVRO)));
    }

    private static JobCase mapOnly(JobCase job) {
        return job.given(now -> now.option("mapreduce.job.reduces", "0")).with(Trait.OWN_REDUCERS);
    }
}
