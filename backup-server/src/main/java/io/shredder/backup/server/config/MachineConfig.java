// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.server.running.MachineTask;
import io.shredder.backup.snapshot.SnapshotName;

/**
 * One running machine of a job.
 *
 * @param name with which the names of its disks' series begin
 * @param task what is backed up of it
 * @param hooks around its backup
 * @param weight of its share of what images at once share
 */
public record MachineConfig(SnapshotName name, MachineTask task, HookConfig hooks, int weight) implements SourceConfig {

    @Override
    public String place() {
        return task.address().toString();
    }

    /** Whether a series is, or may be, one of this machine's. */
    public boolean owns(SnapshotName series) {
        return series.value().startsWith(name.value() + ".");
    }
}
