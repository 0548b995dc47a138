// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import com.google.common.collect.Maps;
import com.google.common.util.concurrent.AtomicLongMap;
import io.shredder.backup.seal.RegionSealer.Effort;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.stage.StageTime;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How hard to compress: what costs no time. That is all where little is new; all where the sealing threads wait for the
 * agent, or the way to it, to take what they sealed, while a quarter of the cores is idle; and where they wait for
 * chunks while half of them is. Then something else than computing limits. An agent on the same cores is waited for as
 * well, but there computing limits: what it computes counts, too. Looks again four times a second, from the first group
 * on. What is to count must have been so for a second, and ends when a look finds it otherwise: thorough costs four
 * times the time, so that what is waited for only now and then would wait itself. Safe for any number of threads.
 */
final class SealingEffort {

    /** Little of a group is new if no more than one chunk in so many is. */
    private static final int LITTLE = 4;

    /** The agent limits if the sealing threads wait for it one part in so many of their time. */
    private static final int WAITING = 4;

    /** Cores are idle if one part in so many of their time is. */
    private static final int IDLE = 2;

    /** While the agent is waited for, cores are to be had if one part in so many of their time is idle. */
    private static final int SPARE = 4;

    private static final long LOOK_NS = 250_000_000;
    private static final long LASTING_NS = 1_000_000_000;

    private final StageTime sealing;
    private final CoresShare cores;
    private final LongSupplier clockNs;
    private final LongSupplier cpuNs;
    private final Supplier<OptionalLong> idleNs;
    private final AtomicLongMap<Effort> bytes = AtomicLongMap.create();
    private final Lasting agentLimits = new Lasting();
    private final Lasting coresIdle = new Lasting();
    private boolean looked;
    private long lookedNs;
    private long waitedNs;
    private long usedNs;
    private OptionalLong idledNs = OptionalLong.empty();

    /** @param sealing of the threads that seal, as many as {@code cores} says */
    SealingEffort(StageTime sealing, CoresShare cores) {
        this(sealing, cores, System::nanoTime, SealingEffort::ownCpuNs, new IdleCores());
    }

    /**
     * With other clocks.
     *
     * @param cpuNs how long this program has computed
     * @param idleNs how long its cores have been idle, if that is known
     */
    SealingEffort(
            StageTime sealing,
            CoresShare cores,
            LongSupplier clockNs,
            LongSupplier cpuNs,
            Supplier<OptionalLong> idleNs) {
        this.idleNs = idleNs;
        this.sealing = sealing;
        this.cores = cores;
        this.clockNs = clockNs;
        this.cpuNs = cpuNs;
    }

    private static long ownCpuNs() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
    }

    /**
     * For the chunks of one group.
     *
     * @param asked how many there are
     * @param known how many of them the agent has
     * @param othersWait whether there is another group to be sealed
     */
    Effort of(int asked, int known, boolean othersWait) {
        look();
        boolean littleIsNew = (asked - known) * LITTLE <= asked;
        return littleIsNew || agentLimits.lasts || (coresIdle.lasts && !othersWait) ? Effort.THOROUGH : Effort.QUICK;
    }

    private synchronized void look() {
        long nowNs = clockNs.getAsLong();
        if (looked && nowNs - lookedNs < LOOK_NS) {
            return;
        }
        long waitedNow = sealing.awaitingRoomNs();
        long usedNow = cpuNs.getAsLong();
        OptionalLong idledNow = idleNs.get();
        // Before the first group nobody had anything to compress.
        if (looked) {
            judge(nowNs - lookedNs, waitedNow - waitedNs, usedNow - usedNs, idledNow);
        }
        looked = true;
        lookedNs = nowNs;
        waitedNs = waitedNow;
        usedNs = usedNow;
        idledNs = idledNow;
    }

    /** What the time since the last look says. */
    private void judge(long elapsedNs, long roomNs, long computedNs, OptionalLong idledNow) {
        long coresNs = elapsedNs * cores.cores().count();
        // Where nobody knows what others compute, the agent is elsewhere for all we know.
        long mostIdleNs = coresNs - computedNs;
        long idleForNs = idledNs.isPresent() && idledNow.isPresent()
                ? Math.min(mostIdleNs, idledNow.getAsLong() - idledNs.getAsLong())
                : mostIdleNs;
        boolean agentIsWaitedFor = roomNs * WAITING >= elapsedNs * cores.sealing();
        agentLimits.was(agentIsWaitedFor && idleForNs * SPARE >= coresNs, elapsedNs);
        coresIdle.was(idleForNs * IDLE >= coresNs, elapsedNs);
    }

    /** Something that counts only once it has been so for a while. Told under the lock, asked without. */
    private static final class Lasting {

        private long ns;
        private volatile boolean lasts;

        void was(boolean so, long elapsedNs) {
            ns = so ? ns + elapsedNs : 0;
            lasts = ns >= LASTING_NS;
        }
    }

    /** So many plain bytes were compressed so. */
    void compressed(Effort effort, long plainBytes) {
        bytes.addAndGet(effort, plainBytes);
    }

    /** How many plain bytes were compressed so far, by how. */
    Map<Effort, Long> plainBytes() {
        return Maps.immutableEnumMap(bytes.asMap());
    }
}
