// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.server.source.ImageAddress;
import io.shredder.backup.snapshot.SnapshotName;

/**
 * One image of a job.
 *
 * @param name of its series of snapshots
 * @param address where it is, once the hook before has run
 * @param hooks around its backup
 * @param weight of its share of what images at once share
 */
public record ImageConfig(SnapshotName name, ImageAddress address, HookConfig hooks, int weight)
        implements SourceConfig {

    @Override
    public String place() {
        return address.toString();
    }
}
