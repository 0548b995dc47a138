// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import java.io.IOException;
import org.apache.hadoop.mapreduce.JobID;

/** The comparison of one job. Called by the thread that submits the job, then by the one that sees it end. */
public interface JobCheck {

    /** The job is planned and is about to go to the cluster. */
    void submitting(JobID id) throws IOException;

    /** The job has succeeded. */
    Finding compare(JobID id) throws IOException;

    /** Frees what the check has made; called once, whatever became of the job. */
    void close() throws IOException;
}
