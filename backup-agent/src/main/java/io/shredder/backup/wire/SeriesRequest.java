// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/** What a client asks about one series of snapshots. Since version 6. */
public sealed interface SeriesRequest extends Request {

    /**
     * The open snapshot is about to be committed: which id will it have, and behind which snapshot of its series?
     * Answer: {@link Answer.Prepared}. May be asked again, then another id is given.
     *
     * @param auditOffset an offset whose {@link AuditPosition} the client knows; 0 for none
     */
    record Prepare(long auditOffset) implements SeriesRequest {
        @Override
        public FrameType type() {
            return FrameType.PREPARE;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(auditOffset);
        }
    }

    /**
     * The client's snapshots of a series with an id above {@code afterId}, in order of ids. Answer:
     * {@link Answer.Snapshots}.
     */
    record ListSeries(long afterId, SnapshotName name) implements SeriesRequest {
        @Override
        public FrameType type() {
            return FrameType.LIST_SERIES;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES + Texts.encodedBytes(name.value());
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(afterId);
            Texts.write(name.value(), target);
        }
    }

    /** Reads the body of a request of this type. */
    static Request read(FrameType type, BodyReader in) throws DamagedDataException {
        if (type == FrameType.PREPARE) {
            return new Prepare(in.u63("offset in the audit log"));
        } else if (type == FrameType.LIST_SERIES) {
            long afterId = in.u63("snapshot id");
            return new ListSeries(afterId, SnapshotInfo.name(in));
        }
        return ListRequest.read(type, in);
    }
}
