// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.cases.JobCase;
import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * How both runs of all pairs of a scenario are set, other than by the framework's name.
 *
 * @param reducers of a job that leaves the choice
 * @param splitBytes longest split of a plain run
 * @param taskBytes most bytes of changed input in a map task of an incremental run
 */
record Settings(int reducers, long splitBytes, long taskBytes) {
    private static final long WHOLE = 1L << 40;
    private static final long SMALL = 100_000;

    /** A choice that a case bears. */
    static Settings drawn(JobCase job, Random random) {
        int reducers = 1 + random.nextInt(3);
        boolean small = random.nextBoolean();
        boolean smallTasks = random.nextBoolean();
        return new Settings(reducers, small && !job.is(Trait.ONE_MAP) ? SMALL : WHOLE, smallTasks ? SMALL : WHOLE);
    }

    /** As words of a command line. */
    List<String> words(JobCase job, boolean incremental) {
        var words = new ArrayList<String>();
        if (!job.is(Trait.OWN_REDUCERS)) {
            words.add("-Dmapreduce.job.reduces=" + reducers);
        }
        if (splitBytes != WHOLE) {
            words.add("-Dmapreduce.input.fileinputformat.split.maxsize=" + splitBytes);
        }
        if (incremental && taskBytes != WHOLE) {
            words.add("-Dincoop.map.task.bytes=" + taskBytes);
        }
        return words;
    }

    /** For people. */
    String text() {
        return reducers + " reducers" + (splitBytes == WHOLE ? "" : ", small splits")
                + (taskBytes == WHOLE ? "" : ", small tasks");
    }
}
