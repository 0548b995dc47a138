// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire.keep;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.KeeperMessage;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

/**
 * What an agent asks a keeper. Each gets one answer: {@link KeeperAnswer}, or an error. Requests about one file are
 * answered in their order, others in any.
 */
public sealed interface KeeperRequest extends KeeperMessage
        permits KeeperRequest.Plain,
                KeeperRequest.Hold,
                KeeperRequest.OfFile,
                KeeperRequest.OfHandle,
                KeeperRequest.ReadAt,
                KeeperRequest.ListFiles,
                KeeperChange {

    /** A question about the keeper as a whole: its names, or what can be added. Both answers are usual ones. */
    record Plain(FrameType type) implements KeeperRequest {
        @Override
        public int bodyBytes() {
            return 0;
        }

        @Override
        public void writeBody(ByteBuffer target) {}
    }

    /**
     * Keep others out while this connection lasts. Answer: {@link KeeperAnswer.Done}.
     *
     * @param holder who asks: the same of the same client takes over from a connection that may be dead
     * @param epoch that it has begun, over a connection before; 0 if none. It is refused if another one came since
     */
    record Hold(UUID holder, int epoch) implements KeeperRequest {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_HOLD;
        }

        @Override
        public int bodyBytes() {
            return 20;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(holder.getMostSignificantBits()).putLong(holder.getLeastSignificantBits());
            target.putInt(epoch);
        }
    }

    /** A question about a file by its name: read it whole, whether it is there, its length and time, open it. */
    record OfFile(FrameType type, KeptName file) implements KeeperRequest {
        @Override
        public int bodyBytes() {
            return file.encodedBytes();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            file.write(target);
        }
    }

    /** A question about an open file: its length, or to close it. */
    record OfHandle(FrameType type, int handle) implements KeeperRequest {
        @Override
        public int bodyBytes() {
            return 4;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(handle);
        }
    }

    /**
     * Bytes of an open file. Answer: {@link KeeperAnswer.Bytes}, fewer if it ends before.
     *
     * @param length at most {@link KeepFormat#MAX_BYTES}
     */
    record ReadAt(int handle, long position, int length) implements KeeperRequest {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_READ_AT;
        }

        @Override
        public int bodyBytes() {
            return 16;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(handle).putLong(position).putInt(length);
        }
    }

    /**
     * The next files below a folder, in the order of {@link KeptName}. Answer: {@link KeeperAnswer.Files}.
     *
     * @param folder empty for all
     * @param after the last one of the answer before; empty to begin
     */
    record ListFiles(Optional<KeptName> folder, Optional<KeptName> after) implements KeeperRequest {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_LIST;
        }

        @Override
        public int bodyBytes() {
            return bytesOf(folder) + bytesOf(after);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            write(folder, target);
            write(after, target);
        }

        private static int bytesOf(Optional<KeptName> name) {
            return 1 + name.map(KeptName::encodedBytes).orElse(0);
        }

        private static void write(Optional<KeptName> name, ByteBuffer target) {
            target.put((byte) (name.isPresent() ? 1 : 0));
            name.ifPresent(given -> given.write(target));
        }

        static ListFiles read(BodyReader in) throws DamagedDataException {
            return new ListFiles(name(in, "folder"), name(in, "last name"));
        }

        private static Optional<KeptName> name(BodyReader in, String field) throws DamagedDataException {
            int given = in.u8(field);
            if (given > 1) {
                throw in.damagedBefore(1, field + " is neither there nor not there: " + given);
            }
            return given == 0 ? Optional.empty() : Optional.of(KeptName.read(in, field));
        }
    }

    /** Reads the body of a request of this type. */
    static KeeperRequest read(FrameType type, BodyReader in) throws DamagedDataException {
        KeeperRequest request =
                switch (type) {
                    case KEEPER_NAMES, KEEPER_USABLE -> new Plain(type);
                    case KEEPER_HOLD -> new Hold(in.uuid("holder"), in.length("epoch", Integer.MAX_VALUE));
                    case KEEPER_READ, KEEPER_HAS, KEEPER_STAT, KEEPER_OPEN ->
                        new OfFile(type, KeptName.read(in, "file"));
                    case KEEPER_SIZE, KEEPER_CLOSE -> new OfHandle(type, in.i32("handle"));
                    case KEEPER_READ_AT ->
                        new ReadAt(in.i32("handle"), in.u63("position"), in.length("length", KeepFormat.MAX_BYTES));
                    case KEEPER_LIST -> ListFiles.read(in);
                    default -> KeeperChange.read(type, in);
                };
        in.end();
        return request;
    }

    /** The most that an answer's body has. */
    default int mostAnswerBytes() {
        return switch (type()) {
            case KEEPER_READ -> KeepFormat.MAX_SMALL_FILE;
            case KEEPER_READ_AT -> ((ReadAt) this).length();
            case KEEPER_NAMES, KEEPER_LIST -> KeepFormat.MAX_BYTES;
            default -> 0;
        };
    }
}
