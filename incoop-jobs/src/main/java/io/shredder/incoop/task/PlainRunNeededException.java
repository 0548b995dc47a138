// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The job's code did, or was about to do, what only a plain run does right. Completes "the job runs plainly: ". */
public final class PlainRunNeededException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean always;

    /** It will be so in every run of the same job. */
    public PlainRunNeededException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
        this.always = true;
    }

    /** It is so in this run. */
    public PlainRunNeededException(String reason) {
        super(reason);
        this.always = false;
    }

    /** What a task of such a job fails with. */
    public static IOException refusal(String reason) {
        return new IOException("incoop: the job has to run plainly: " + reason);
    }

    public boolean isAlways() {
        return always;
    }
}
