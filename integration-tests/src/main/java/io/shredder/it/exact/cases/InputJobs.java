// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static io.shredder.it.exact.cases.JobCase.acme;

import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.List;

/** Jobs over inputs that can be read in chunks in part, or by formats that others have derived. */
final class InputJobs {
    private InputJobs() {}

    static List<JobCase> cases() {
        return List.of(
                acme("named-format", "formats.NamedFormat").with(Trait.ALSO_ON_YARN),
                acme("format-with-separator", "formats.SpaceSeparated"),
                acme("format-of-whole-files", "formats.FirstLines"),
                acme("two-formats", "formats.TwoFormats")
                        .with(Trait.FOLDER_AND_FILE, Trait.ALSO_ON_YARN)
                        .given(now -> now.option("net.acme.swapped", "false"))
                        .then("swapped", now -> now.option("net.acme.swapped", "true")),
                acme("unserved-beside", "formats.CombinedBeside").with(Trait.FOLDER_AND_FILE),
                acme("old-two-inputs", "formats.OldTwoInputs").with(Trait.FOLDER_AND_FILE),
                acme("combiner-without-manifest", "context.WordsWithCombiner")
                        .with(Trait.NO_MANIFEST, Trait.ALSO_ON_YARN),
                acme("named-format-without-manifest", "formats.NamedFormat").with(Trait.NO_MANIFEST),
                acme("separator-without-manifest", "formats.SpaceSeparated").with(Trait.NO_MANIFEST),
                acme("split-name-without-manifest", "context.SplitName").with(Trait.NO_MANIFEST),
                acme("offsets-without-manifest", "keys.OffsetsPassedOn").with(Trait.NO_MANIFEST),
                acme("committer-without-manifest", "context.CommitterName").with(Trait.NO_MANIFEST),
                acme("mapper-name-without-manifest", "context.MapperNameInConf").with(Trait.NO_MANIFEST),
                acme("local-file-without-manifest", "files.MapperAppendsLocally")
                        .with(Trait.NO_MANIFEST),
                acme("old-words-without-manifest", "oldapi.Words").with(Trait.NO_MANIFEST),
                acme("counters-without-manifest", "context.CounterReadBack").with(Trait.NO_MANIFEST));
    }
}
