// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static io.shredder.it.exact.cases.JobCase.acme;

import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs that ask where they are, keep state, or use the API in ways of their own. Not here: jobs whose plain results
 * hang on how many maps there are, or on the clock or chance, since two plain runs of those differ, too.
 */
final class StateJobs {
    private StateJobs() {}

    static List<JobCase> cases() {
        var cases = new ArrayList<JobCase>();
        cases.addAll(keys());
        cases.addAll(statics());
        cases.addAll(contexts());
        cases.addAll(inputs());
        cases.addAll(oldApi());
        return cases;
    }

    private static List<JobCase> keys() {
        return List.of(
                acme("header-by-equals", "keys.HeaderByEquals").with(Trait.ALSO_ON_YARN),
                acme("header-by-compare", "keys.HeaderByCompare"),
                acme("key-compared", "keys.KeyCompared"),
                acme("key-hashed", "keys.KeyHashed"),
                acme("key-printed", "keys.KeyPrinted"),
                acme("key-serialised", "keys.KeySerialised"),
                acme("key-cloned", "keys.KeyCloned"),
                acme("key-copied", "keys.KeyCopied"),
                acme("key-in-map-writable", "keys.KeyInMap"),
                acme("key-in-object-writable", "keys.KeyInObject"),
                acme("key-in-generic-writable", "keys.KeyInGeneric"),
                acme("key-by-reflection", "keys.KeyByReflection"),
                acme("key-kept", "keys.KeyKept").with(Trait.ONE_MAP),
                acme("key-changed", "keys.KeyChanged"),
                acme("key-of-context", "keys.KeyOfContext"),
                acme("key-by-comparator", "keys.KeyComparator"),
                acme("offsets-passed-on", "keys.OffsetsPassedOn").with(Trait.ONE_MAP),
                acme("offsets-inverted", "keys.OffsetsInverted"));
    }

    private static List<JobCase> statics() {
        return List.of(
                // In one process, as the local runner has it, statics that are not cleared serve one map alone.
                acme("static-counter", "statics.StaticCounter").with(Trait.ONE_MAP, Trait.ALSO_ON_YARN),
                acme("static-map-cleared", "statics.StaticMapCleared"),
                acme("static-map-kept", "statics.StaticMapKept").with(Trait.ONE_MAP),
                acme("static-seen", "statics.StaticSeen").with(Trait.ALSO_ON_YARN),
                acme("thread-local-seen", "statics.ThreadLocalSeen"),
                acme("enum-seen", "statics.EnumSeen"),
                acme("library-seen", "statics.LibrarySeen"),
                acme("property-seen", "statics.PropertySeen").with(Trait.ONE_MAP),
                acme("own-loader-seen", "statics.OwnLoaderSeen"),
                acme("static-in-reducer", "statics.StaticInReducer").with(Trait.OWN_REDUCERS),
                acme("instance-state", "statics.InstanceState"));
    }

    private static List<JobCase> contexts() {
        return List.of(
                acme("context-class-name", "context.ContextClassName"),
                acme("context-cast", "context.ContextCast"),
                acme("context-unwrapped", "context.ContextUnwrapped").with(Trait.ONE_MAP),
                acme("split-name", "context.SplitName"),
                acme("split-length", "context.SplitLength"),
                acme("task-number", "context.TaskNumber").with(Trait.ONE_MAP),
                acme("committer-name", "context.CommitterName"),
                acme("mapper-name-in-configuration", "context.MapperNameInConf"),
                acme("reducer-name-in-configuration", "context.ReducerNameInConf"),
                acme("progress-and-status", "context.ProgressAndStatus"),
                acme("progress-read", "context.ProgressRead"),
                acme("counter-read-back", "context.CounterReadBack"),
                acme("hadoop-counter-read", "context.HadoopCounterRead"),
                acme("run-overridden", "context.RunOverridden"),
                acme("setup-and-cleanup", "context.SetupAndCleanup"),
                acme("context-in-thread", "context.ContextInThread"),
                acme("reused-value", "context.ReusedValue"),
                acme("chain-mapper", "context.Chain"),
                acme("multithreaded-mapper", "context.Threads"));
    }

    private static List<JobCase> inputs() {
        return List.of(
                acme("multiple-inputs", "context.TwoInputs").with(Trait.FOLDER_AND_FILE),
                acme("key-value-lines", "context.KeyValueLines").over(InputKind.KEY_VALUES),
                acme("groups-of-lines", "context.GroupsOfLines").with(Trait.ONE_MAP),
                acme("huge-lines", "context.WholeLines").over(InputKind.HUGE_LINES),
                acme("whole-lines", "context.WholeLines"),
                acme("words-with-combiner", "context.WordsWithCombiner"),
                acme("empty-files", "context.WholeLines").with(Trait.EMPTY_FILES),
                acme("some-without-manifest", "context.WholeLines").with(Trait.NO_MANIFEST),
                acme("folder-and-file", "context.WholeLines").with(Trait.FOLDER_AND_FILE),
                acme("same-file-twice", "context.WholeLines").with(Trait.SAME_TWICE));
    }

    private static List<JobCase> oldApi() {
        return List.of(
                acme("old-words", "oldapi.Words"),
                acme("old-map-task-id", "oldapi.MapTaskId").with(Trait.ONE_MAP),
                acme("old-split-of-reporter", "oldapi.SplitOfReporter"),
                acme("old-input-file-option", "oldapi.InputFileOption"),
                acme("old-offset-equals", "oldapi.OffsetEquals"),
                acme("old-counters", "oldapi.ReporterCounters"),
                acme("old-map-runnable", "oldapi.OwnRunnable"));
    }
}
