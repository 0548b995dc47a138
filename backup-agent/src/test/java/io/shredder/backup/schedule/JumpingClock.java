// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is set. Thread-safe. */
public final class JumpingClock extends Clock {

    private volatile Instant now;

    /** It shows this. */
    public JumpingClock(Instant now) {
        this.now = now;
    }

    /** From now on it shows this. */
    public void set(Instant time) {
        now = time;
    }

    /** It goes on, or back. */
    public void add(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
