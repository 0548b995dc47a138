// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static io.shredder.it.exact.cases.JobCase.acme;

import io.shredder.it.exact.cases.JobCase.Trait;
import io.shredder.it.exact.cases.Surroundings.Memo;
import java.util.ArrayList;
import java.util.List;

/** Jobs that leave more than part files, or leave them in ways of their own; and jobs whose memo store fares badly. */
final class LeavingJobs {
    private static final String MEMO_BACK = "the memo store is well again";

    private LeavingJobs() {}

    static List<JobCase> cases() {
        var cases = new ArrayList<JobCase>();
        cases.addAll(files());
        cases.addAll(outputs());
        cases.addAll(memo());
        return cases;
    }

    private static List<JobCase> files() {
        return List.of(
                // Names or contents by map: known for one map alone.
                leaving(acme("mapper-work-file", "files.MapperWorkFile")).with(Trait.ONE_MAP, Trait.ALSO_ON_YARN),
                leaving(acme("mapper-work-folder", "files.MapperWorkFolder")).with(Trait.ONE_MAP),
                leaving(acme("mapper-file-by-task", "files.MapperFileByTaskId")).with(Trait.ONE_MAP),
                leaving(acme("mapper-local-file", "files.MapperLocalFile")).with(Trait.ONE_MAP),
                leaving(acme("mapper-appends-locally", "files.MapperAppendsLocally")),
                leaving(acme("mapper-touches-files", "files.MapperTouchesFiles")),
                leaving(acme("mapper-file-in-thread", "files.MapperFileInThread")),
                leaving(acme("combiner-touches-files", "order.CombinerFile")),
                leaving(acme("reducer-hdfs-file", "files.ReducerHdfsFile")).with(Trait.OWN_REDUCERS),
                leaving(acme("reducer-local-file", "files.ReducerLocalFile")).with(Trait.OWN_REDUCERS),
                leaving(acme("reducer-file-in-thread", "files.ReducerFileInThread"))
                        .with(Trait.OWN_REDUCERS));
    }

    static JobCase leaving(JobCase job) {
        return job.given(now -> now.option("net.acme.left", "${left}").option("net.acme.left.here", "${leftHere}"));
    }

    private static List<JobCase> outputs() {
        return List.of(
                acme("cleanup-of-empty-files", "outputs.CleanupOfEmptyFile").with(Trait.EMPTY_FILES),
                acme("mapper-named-output", "outputs.MapperNamedOutput").with(Trait.ONE_MAP),
                acme("reducer-named-output", "outputs.ReducerNamedOutput"),
                acme("lazy-parts", "outputs.LazyParts"),
                acme("own-committer", "outputs.OwnCommitter"),
                acme("own-output-format", "outputs.OwnOutputFormat"),
                acme("counters-only", "outputs.CountersOnly"),
                acme("many-counters", "outputs.ManyCounters"),
                acme("mapper-fails", "outputs.MapperFails").with(Trait.FAILS),
                // Three files, three maps; the one with lines fails.
                acme("some-maps-may-fail", "outputs.SomeMapsMayFail").with(Trait.EMPTY_FILES, Trait.YARN_ONLY),
                leaving(acme("chain-of-jobs", "outputs.ChainOfJobs")));
    }

    private static List<JobCase> memo() {
        return List.of(
                memo("memo-quota-of-names", Memo.QUOTA_OF_NAMES),
                memo("memo-quota-of-bytes", Memo.QUOTA_OF_BYTES),
                memo("memo-no-folder", Memo.NO_FOLDER),
                memo("memo-removed-meanwhile", Memo.REMOVED_MEANWHILE));
    }

    private static JobCase memo(String name, Memo lot) {
        return acme(name, "context.WordsWithCombiner")
                .then("the memo store fares badly", now -> now.memo(lot))
                .then("and again", now -> now)
                .then(MEMO_BACK, now -> now.memo(Memo.NORMAL));
    }
}
