// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** A task whose failure would be the job's: it says instead what failed, and goes on with what doesn't. */
public final class LastAttempt {

    private static final int DEFAULT_ATTEMPTS = 4;

    private LastAttempt() {}

    /**
     * Whether there is no attempt after this one.
     *
     * @param attemptsKey says how many there are
     */
    public static boolean is(TaskAttemptContext context, String attemptsKey) {
        int attempts = JobJars.staysInProcess(context.getConfiguration())
                ? 1
                : context.getConfiguration().getInt(attemptsKey, DEFAULT_ATTEMPTS);
        return context.getTaskAttemptID().getId() + 1 >= attempts;
    }

    /** One line. */
    public static String reason(Exception e) {
        String text = e.getMessage() == null ? e.toString() : e.getMessage();
        return text.replaceAll("\\s*\\R.*", "").replaceAll("\\s+", " ");
    }
}
