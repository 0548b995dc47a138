// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import com.sun.jna.Native;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which threads go first where all cores are busy. Linux keeps a nice value for each thread (sched(7)), which Java's
 * priorities don't reach.
 */
public final class ThreadNiceness {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadNiceness.class);

    /** A third of a core's time beside a thread that doesn't give way. */
    private static final int STEP = 5;

    /** The function of the C library, by its own name. */
    private static final class C {

        static {
            Native.register(C.class, "c");
        }

        private C() {}

        static native int nice(int increment);
    }

    private ThreadNiceness() {}

    /**
     * From now on the calling thread gives way to this program's others, and to other programs: for one that only
     * computes what others bring and take away. It can't be taken back. Where the system doesn't have it, nothing
     * happens.
     */
    public static void giveWay() {
        try {
            var unused = C.nice(STEP);
        } catch (LinkageError e) {
            LOG.debug("threads don't give way: {}", e.toString());
        }
    }
}
