// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import static io.shredder.it.exact.cases.JobCase.acme;

import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.List;

/** Jobs that would notice if the mapper of one chunk were not set up as that of another. */
final class SetUpJobs {
    private SetUpJobs() {}

    static List<JobCase> cases() {
        return List.of(
                acme("set-up-table", "setups.TableInField").with(Trait.ALSO_ON_YARN),
                acme("set-up-context", "setups.ContextInField"),
                acme("set-up-helper", "setups.HelperInField"),
                acme("set-up-shared-with-statics", "setups.SharedWithStatics"),
                acme("set-up-keys-by-identity", "setups.KeysByIdentity"),
                acme("set-up-thread", "setups.FilledByThread"),
                acme("set-up-pool", "setups.FilledByPool"),
                acme("set-up-lambda", "setups.LambdaInField"),
                acme("set-up-option", "setups.OptionSetInSetup"),
                acme("set-up-counter", "setups.CounterInField"),
                acme("set-up-thread-local", "setups.ThreadLocalInSetup"),
                acme("set-up-containers", "setups.ManyContainers").with(Trait.ALSO_ON_YARN),
                acme("set-up-old-table", "setups.OldTableInField"));
    }
}
