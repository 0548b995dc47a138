// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What a client asks to look after what is kept: delete, collect, count. */
public sealed interface UpkeepRequest extends Request {

    /**
     * Delete these snapshots of the client's namespace: all, or none if one of them is not there or too young. At most
     * {@link WireFormat#MAX_SNAPSHOTS_PAGE}. Answer: {@link Answer.Done}, once they are durably gone. Their space comes
     * back with the next collection. Where another client must confirm a deletion nothing goes yet:
     * {@link UpkeepAnswer.Pending}.
     */
    record Delete(List<Long> snapshotIds) implements UpkeepRequest {
        @Override
        public FrameType type() {
            return FrameType.DELETE;
        }

        @Override
        public int bodyBytes() {
            return 4 + Long.BYTES * snapshotIds.size();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(snapshotIds.size());
            snapshotIds.forEach(target::putLong);
        }
    }

    /**
     * Begin a collection on this connection, or do its next step. Answer: {@link UpkeepAnswer.Collected}.
     *
     * @param begins whether this is the first of a collection; the other values count only then
     * @param dryRun only count what could be freed
     * @param minGarbagePercent containers with less garbage are left alone, 0 to 100
     */
    record Collect(boolean begins, boolean dryRun, int minGarbagePercent) implements UpkeepRequest {
        @Override
        public FrameType type() {
            return FrameType.COLLECT;
        }

        @Override
        public int bodyBytes() {
            return 3;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.put((byte) (begins ? 1 : 0)).put((byte) (dryRun ? 1 : 0)).put((byte) minGarbagePercent);
        }
    }

    /** The deletion of the namespace that waits and has the next id. Answer: {@link UpkeepAnswer.Pending}. */
    record Pending(long afterId) implements UpkeepRequest {
        @Override
        public FrameType type() {
            return FrameType.PENDING;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(afterId);
        }
    }

    /**
     * Do the deletion that another client asked for. Answer: {@link Answer.Done}, once all its snapshots are durably
     * gone; or an error, and none is.
     *
     * @param requestId of {@link PendingDeletion}
     * @param digest of what was looked at
     */
    record Confirm(long requestId, Fingerprint digest) implements UpkeepRequest {
        @Override
        public FrameType type() {
            return FrameType.CONFIRM;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES + Fingerprint.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(requestId);
            digest.write(target);
        }
    }

    /** A deletion that waits is not wanted any more. Answer: {@link Answer.Done}. */
    record Withdraw(long requestId) implements UpkeepRequest {
        @Override
        public FrameType type() {
            return FrameType.WITHDRAW;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(requestId);
        }
    }

    /** How much is kept. Answer: {@link UpkeepAnswer.Statistics}. */
    record Stats() implements UpkeepRequest {
        @Override
        public FrameType type() {
            return FrameType.STATS;
        }

        @Override
        public int bodyBytes() {
            return 0;
        }

        @Override
        public void writeBody(ByteBuffer target) {}
    }

    /**
     * How do the keepers of your store stand? Answer: {@link UpkeepAnswer.Keepers}. Since
     * {@link WireFormat#KEEPERS_VERSION}.
     */
    record Keepers() implements UpkeepRequest {
        @Override
        public FrameType type() {
            return FrameType.KEEPERS;
        }

        @Override
        public int bodyBytes() {
            return 0;
        }

        @Override
        public void writeBody(ByteBuffer target) {}
    }

    /** Reads the body of a request of this type. */
    static UpkeepRequest read(FrameType type, BodyReader in) throws DamagedDataException {
        return switch (type) {
            case DELETE -> new Delete(ids(in));
            case COLLECT -> new Collect(flag(in, "begins"), flag(in, "dry run"), percent(in));
            case STATS -> new Stats();
            case KEEPERS -> new Keepers();
            case PENDING -> new Pending(in.u63("request id"));
            case CONFIRM -> new Confirm(in.u63("request id"), in.fingerprint("digest of the request"));
            case WITHDRAW -> new Withdraw(in.u63("request id"));
            default -> throw in.damaged("a client may not send " + type);
        };
    }

    private static List<Long> ids(BodyReader in) throws DamagedDataException {
        int count = in.length("count", Math.min(WireFormat.MAX_SNAPSHOTS_PAGE, in.remaining() / Long.BYTES));
        List<Long> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ids.add(in.u63("snapshot id"));
        }
        return ids;
    }

    private static boolean flag(BodyReader in, String field) throws DamagedDataException {
        int value = in.u8(field);
        if (value > 1) {
            throw in.damaged(field + " " + value + " is neither 0 nor 1, before here");
        }
        return value == 1;
    }

    private static int percent(BodyReader in) throws DamagedDataException {
        int value = in.u8("least garbage");
        if (value > 100) {
            throw in.damaged("least garbage " + value + " % is above 100, before here");
        }
        return value;
    }
}
