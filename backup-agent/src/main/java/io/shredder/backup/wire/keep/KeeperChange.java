// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire.keep;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.wire.FrameType;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/**
 * A request that changes something, by whoever holds the keeper. It has the writer's epoch, by which the keeper refuses
 * a writer after whom another one came. Answer: {@link KeeperAnswer.Done}, and of a new file {@link
 * KeeperAnswer.Opened}.
 */
public sealed interface KeeperChange extends KeeperRequest {

    /** The writer's; 0 before it has written one to the keeper. */
    int epoch();

    /**
     * Of a file by its name: delete it, force it, make it a folder; cut it, set its time.
     *
     * @param number how many bytes stay, or milliseconds since 1970; 0 where there is none
     */
    record OfFile(FrameType type, int epoch, KeptName file, long number) implements KeeperChange {
        @Override
        public int bodyBytes() {
            return 12 + file.encodedBytes();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(epoch);
            file.write(target);
            target.putLong(number);
        }
    }

    /** Of an open file that grows: make it durable, or begin to. */
    record OfHandle(FrameType type, int epoch, int handle) implements KeeperChange {
        @Override
        public int bodyBytes() {
            return 8;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(epoch).putInt(handle);
        }
    }

    /** The bytes that come at the end of an open file, at most {@link KeepFormat#MAX_BYTES}. */
    record Append(int epoch, int handle, ByteBuffer bytes) implements KeeperChange {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_APPEND;
        }

        @Override
        public int bodyBytes() {
            return 8 + bytes.remaining();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(epoch).putInt(handle).put(bytes.duplicate());
        }
    }

    /** The bytes of a file, or those that it begins with, at most {@link KeepFormat#MAX_BYTES}. */
    record Write(FrameType type, int epoch, KeptName file, ByteBuffer bytes) implements KeeperChange {
        @Override
        public int bodyBytes() {
            return 4 + file.encodedBytes() + bytes.remaining();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(epoch);
            file.write(target);
            target.put(bytes.duplicate());
        }
    }

    /** Gives a whole file another name, also that of one that is there. */
    record Rename(int epoch, KeptName file, KeptName name) implements KeeperChange {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_RENAME;
        }

        @Override
        public int bodyBytes() {
            return 4 + file.encodedBytes() + name.encodedBytes();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(epoch);
            file.write(target);
            name.write(target);
        }
    }

    /** Reads the body of a change of this type. */
    static KeeperChange read(FrameType type, BodyReader in) throws DamagedDataException {
        return switch (type) {
            case KEEPER_DELETE, KEEPER_FORCE_FILE, KEEPER_MAKE_FOLDER, KEEPER_CUT, KEEPER_SET_MODIFIED ->
                new OfFile(type, epoch(in), KeptName.read(in, "file"), in.u63("number"));
            case KEEPER_WRITE_BEHIND, KEEPER_FORCE -> new OfHandle(type, epoch(in), in.i32("handle"));
            case KEEPER_APPEND -> new Append(epoch(in), in.i32("handle"), bytes(in));
            case KEEPER_CREATE, KEEPER_REPLACE -> new Write(type, epoch(in), KeptName.read(in, "file"), bytes(in));
            case KEEPER_RENAME -> new Rename(epoch(in), KeptName.read(in, "file"), KeptName.read(in, "name"));
            default -> throw in.damaged(type + " is nothing that a keeper is asked");
        };
    }

    private static int epoch(BodyReader in) throws DamagedDataException {
        return in.length("epoch", Integer.MAX_VALUE);
    }

    private static ByteBuffer bytes(BodyReader in) throws DamagedDataException {
        if (in.remaining() > KeepFormat.MAX_BYTES) {
            throw in.damaged(in.remaining() + " bytes are more than " + KeepFormat.MAX_BYTES);
        }
        return in.view("bytes", in.remaining());
    }
}
