// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

/** How far a live restore has come. */
public enum LiveState {
    /** The target lacks something yet. */
    FILLING,
    /** All is there, durable, under the target's name. */
    WHOLE,
    /** All is there but what is damaged in the backup and nobody has written over. */
    DAMAGED,
    /** The target's disk has failed. Nothing more is taken. */
    FAILED
}
