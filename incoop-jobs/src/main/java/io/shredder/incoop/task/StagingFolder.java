// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;

/** Makes the staging files of a reduce task, on whichever of the task's local disks has room. One thread. */
public final class StagingFolder {

    private final ShuffleConsumerPlugin.Context<?, ?> task;
    private int made;

    public StagingFolder(ShuffleConsumerPlugin.Context<?, ?> task) {
        this.task = task;
    }

    public Staging create() throws IOException {
        JobConf conf = task.getJobConf();
        String name = "incoop-" + task.getReduceId() + "-" + made++;
        Path file = task.getLocalDirAllocator().getLocalPathForWrite(name, conf);
        task.getReporter().progress();
        return new Staging(conf, file, task.getReporter());
    }
}
