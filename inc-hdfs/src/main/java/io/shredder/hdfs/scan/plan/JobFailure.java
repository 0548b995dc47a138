// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;

/** Why a job failed: what a task said, if that is still to be had, as the job itself says only which one failed. */
final class JobFailure {

    private JobFailure() {}

    /** One line. */
    static String reason(Job job) throws IOException, InterruptedException {
        String failure = job.getStatus().getFailureInfo();
        return ofTasks(job).map(said -> said + " (" + oneLine(failure) + ")").orElse(failure);
    }

    private static Optional<String> ofTasks(Job job) throws InterruptedException {
        try {
            int from = 0;
            for (TaskCompletionEvent[] events = job.getTaskCompletionEvents(from, 100);
                    events.length > 0;
                    events = job.getTaskCompletionEvents(from, 100)) {
                from += events.length;
                for (TaskCompletionEvent event : events) {
                    Optional<String> said = of(job, event);
                    if (said.isPresent()) {
                        return said;
                    }
                }
            }
        } catch (IOException e) {
            // The history server isn't there, or the job's history isn't yet; the job's own words are.
        }
        return Optional.empty();
    }

    private static Optional<String> of(Job job, TaskCompletionEvent event) throws IOException, InterruptedException {
        boolean failed = event.getStatus() == TaskCompletionEvent.Status.FAILED
                || event.getStatus() == TaskCompletionEvent.Status.TIPFAILED;
        String[] diagnostics = failed ? job.getTaskDiagnostics(event.getTaskAttemptId()) : null;
        return diagnostics == null
                ? Optional.empty()
                : Arrays.stream(diagnostics)
                        .map(JobFailure::message)
                        .filter(text -> !text.isEmpty())
                        .findFirst();
    }

    /** Without the exception's name and stack. */
    static String message(String diagnostics) {
        String first = diagnostics.strip().replaceAll("\\R[\\s\\S]*", "");
        return first.replaceFirst("^(Error: )?([\\w.$]+\\.\\w+(Exception|Error): )?", "")
                .strip();
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
