// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File systems of a domain's guest, frozen for a moment. A guest that is frozen hangs, so one that may be is told to
 * thaw until it says that it has. One thread.
 */
final class LibvirtFreeze {

    /** Between two commands to thaw. */
    static final Duration USUAL_PAUSE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(LibvirtFreeze.class);
    /** So many pauses: some minutes, and each command's own patience. */
    private static final int MOST_TRIES = 36;

    private final Virsh virsh;
    private final Duration pause;
    private boolean frozen;
    private boolean maybeFrozen;

    LibvirtFreeze(Virsh virsh, Duration pause) {
        this.virsh = virsh;
        this.pause = pause;
    }

    /** Whether it said that it is, or was. */
    boolean isFrozen() {
        return frozen;
    }

    /**
     * Freezes.
     *
     * @return what the machine's owner should know if that failed
     * @throws IOException if it was required, and failed
     */
    Optional<String> freeze(Freezing wanted) throws IOException {
        try {
            maybeFrozen = true;
            virsh.run("domfsfreeze");
            frozen = true;
            return Optional.empty();
        } catch (Virsh.NoAnswerException e) {
            FrozenGuest.refuse(wanted, e); // What has been asked for may still be done.
            return Optional.of(FrozenGuest.notFrozen(e));
        } catch (IOException e) {
            maybeFrozen = false;
            FrozenGuest.refuse(wanted, e);
            return Optional.of(FrozenGuest.notFrozen(e));
        }
    }

    /**
     * Thaws.
     *
     * @return what the machine's owner should know of a guest that was not frozen
     * @throws IOException if it may have been, and does not thaw
     */
    Optional<String> thaw() throws IOException {
        for (int left = MOST_TRIES; ; left--) {
            try {
                virsh.run("domfsthaw");
                return Optional.empty();
            } catch (IOException e) {
                if (!maybeFrozen) {
                    return Optional.of("the guest did not say that its file systems are thawed: " + e.getMessage());
                } else if (left <= 1) {
                    throw unthawed(e);
                }
                LOG.warn("the guest is told to thaw again, since it may be frozen: {}", e.getMessage());
                rest(e);
            }
        }
    }

    private void rest(IOException why) throws IOException {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unthawed(why);
        }
    }

    private IOException unthawed(IOException why) {
        return new IOException(
                "the guest's file systems may still be frozen, and what it runs hangs then: " + why.getMessage()
                        + ": run 'virsh domfsthaw " + virsh.domain() + "', or 'fsfreeze -u' for each of them in it",
                why);
    }
}
