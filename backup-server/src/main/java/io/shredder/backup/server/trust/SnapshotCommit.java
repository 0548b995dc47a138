// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.seal.SummarySealer;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits an agent's open snapshot at the end of its series, sealed with its place there. One thread. */
public final class SnapshotCommit {

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotCommit.class);

    /** Somebody else commits to the same series at the same time: seldom once, never so often. */
    private static final int MAX_TRIES = 100;

    private final AgentSeries series;
    private ProvedSeries before;
    private long lastListed;

    /**
     * Begins where the series ended when it was asked for.
     *
     * @param before as the backup began
     */
    public SnapshotCommit(AgentSeries series, ProvedSeries before) {
        this.series = series;
        this.before = before;
        this.lastListed = before.highestId();
    }

    /**
     * Commits; the snapshot is durable when this returns.
     *
     * @param sealer of the snapshot's list
     * @param summary without its place, or with another's
     * @throws BrokenTrustException also if the agent says that it committed something else; nothing is remembered then
     */
    public SnapshotInfo commit(SummarySealer sealer, SnapshotSummary summary, Fingerprint contentDigest)
            throws IOException {
        AgentClient agent = series.agent();
        for (int tries = 1; ; tries++) {
            SnapshotPlace place = nextPlace();
            SnapshotSummary placed = summary.at(place);
            try {
                SealedBytes sealed = sealer.seal(placed, contentDigest);
                SnapshotInfo committed =
                        agent.commit(summary.imageBytes(), summary.chunkCount(), contentDigest, sealed);
                series.checkCommitted(sealer.committed(placed, sealed, contentDigest, committed.received()), committed);
                series.committed(new ProvedSnapshot(committed, placed));
                return committed;
            } catch (AgentException e) {
                if (e.code() != ErrorCode.SERIES_MOVED || tries == MAX_TRIES) {
                    throw e;
                }
                LOG.info("{}", e.getMessage());
            }
        }
    }

    private SnapshotPlace nextPlace() throws IOException {
        AgentClient agent = series.agent();
        AuditPosition earlier = auditBefore();
        Answer.Prepared prepared = agent.prepare(earlier.offset());
        if (!prepared.earlier().equals(earlier)) {
            series.checkAccepted(
                    earlier, before.last().map(last -> last.info().id()).orElse(0L));
        }
        series.checkNewId(
                prepared.id(), Math.max(lastListed, prepared.lastId())); // What comes meanwhile has a higher one.
        if (prepared.lastId() > lastListed) {
            before = series.checkedSince(before, lastListed);
            lastListed = Math.max(before.highestId(), prepared.lastId());
        }
        return new SnapshotPlace(
                AgentSeries.home(agent), prepared.id(), before.nextOrdinal(), before.lastDigest(), prepared.audit());
    }

    private AuditPosition auditBefore() {
        Optional<SnapshotPlace> place =
                before.last().flatMap(last -> last.summary().place());
        return place.map(SnapshotPlace::audit).orElse(AuditPosition.NONE);
    }
}
