// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** How a client has several connections bring the chunks of one snapshot. Since {@link WireFormat#UPLOAD_VERSION}. */
public sealed interface UploadRequest extends Request {

    /**
     * By what may another connection of this client bring chunks of this one's open snapshot? Answer: {@link
     * Invitation}.
     */
    record Invite() implements UploadRequest {
        @Override
        public FrameType type() {
            return FrameType.INVITE;
        }

        @Override
        public int bodyBytes() {
            return 0;
        }

        @Override
        public void writeBody(ByteBuffer target) {}
    }

    /**
     * From now on what this connection finds and puts is promised to the snapshot that another one has open, until that
     * ends. Answer: {@link Answer.Done}.
     *
     * @param token of the {@link Invitation}
     */
    record Join(UUID token) implements UploadRequest {
        @Override
        public FrameType type() {
            return FrameType.JOIN;
        }

        @Override
        public int bodyBytes() {
            return 2 * Long.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(token.getMostSignificantBits()).putLong(token.getLeastSignificantBits());
        }
    }

    /** Reads the body of a request of this type. */
    static Request read(FrameType type, BodyReader in) throws DamagedDataException {
        if (type == FrameType.INVITE) {
            return new Invite();
        } else if (type == FrameType.JOIN) {
            return new Join(in.uuid("invitation"));
        }
        return SeriesRequest.read(type, in);
    }
}
