// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All disks of a machine at one moment. Closing it lets go of them: what tracks changes goes on from this moment for
 * disks of which there is a snapshot, and as if this moment had not been for others. For one thread, but that closing
 * it from another ends what is under way.
 */
interface MachinePoint extends Closeable {

    /**
     * The moment that is wanted.
     *
     * @param point its name
     * @param wholeEvery how often every byte is to be read
     * @param freezing whether file systems are to rest then
     */
    record Moment(String point, Duration wholeEvery, Freezing freezing) {}

    /** In the order that was asked for. */
    List<DiskAtPoint> disks();

    /**
     * To be called when a disk has been read.
     *
     * @throws IOException if it was let go of meanwhile, so that what was read is not of this moment
     */
    void check(String disk) throws IOException;

    /** There is a snapshot of this disk at this moment. */
    void kept(String disk);

    /** How long the guest's file systems rested at most; empty if nobody had them do so. */
    Optional<Duration> frozen();

    /** What its owner should know, a line each. */
    List<String> warnings();
}
