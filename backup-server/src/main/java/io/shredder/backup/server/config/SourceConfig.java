// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.snapshot.SnapshotName;

/** What a job backs up between its hooks: an image, or a running machine with all its disks. */
public sealed interface SourceConfig permits ImageConfig, MachineConfig {

    /** Of its series of snapshots, or what those of its disks begin with. */
    SnapshotName name();

    /** Around its backup. */
    HookConfig hooks();

    /** Of its share of what sources at once share. */
    int weight();

    /** Where it is, in words, once the hook before has run. */
    String place();
}
