// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import java.util.ArrayList;
import java.util.List;

/** All cases. */
public final class AllCases {
    private static final List<JobCase> ALL = all();

    private AllCases() {}

    private static List<JobCase> all() {
        var all = new ArrayList<JobCase>();
        all.addAll(StockJobs.cases());
        all.addAll(SideJobs.cases());
        all.addAll(OptionJobs.cases());
        all.addAll(StateJobs.cases());
        all.addAll(SetUpJobs.cases());
        all.addAll(InputJobs.cases());
        all.addAll(LeavingJobs.cases());
        all.addAll(MapOnlyJobs.cases());
        return List.copyOf(all);
    }

    /** Each of them, third parties' first. */
    public static List<JobCase> cases() {
        return ALL;
    }

    /** The case of that name. */
    public static JobCase named(String name) {
        return ALL.stream()
                .filter(job -> job.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no case '" + name + "'"));
    }
}
