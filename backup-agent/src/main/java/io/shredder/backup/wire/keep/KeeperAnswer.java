// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire.keep;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.KeeperMessage;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What a keeper answers, unless it refuses: then that is the agent's {@code Answer.Failure}. */
public sealed interface KeeperAnswer extends KeeperMessage {

    /**
     * The first word, once the client's certificate was believed and has the right.
     *
     * @param minVersion oldest version of the conversation
     * @param maxVersion newest version of the conversation
     * @param process tells two addresses of one keeper from two keepers
     * @param product name of the program, for the log
     */
    record Greeting(int minVersion, int maxVersion, UUID process, String product) implements KeeperAnswer {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_GREETING;
        }

        @Override
        public int bodyBytes() {
            return 20 + Texts.encodedBytes(product);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putShort((short) minVersion).putShort((short) maxVersion);
            target.putLong(process.getMostSignificantBits()).putLong(process.getLeastSignificantBits());
            Texts.write(product, target);
        }
    }

    /** It is done, and of what must be durable: it is. */
    record Done() implements KeeperAnswer {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_DONE;
        }

        @Override
        public int bodyBytes() {
            return 0;
        }

        @Override
        public void writeBody(ByteBuffer target) {}
    }

    /** A length, how much can be added, or 1 for yes and 0 for no. */
    record Count(long value) implements KeeperAnswer {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_NUMBER;
        }

        @Override
        public int bodyBytes() {
            return 8;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(value);
        }
    }

    /** A file is open, until it is closed or the connection ends. */
    record Opened(int handle) implements KeeperAnswer {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_OPENED;
        }

        @Override
        public int bodyBytes() {
            return 4;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(handle);
        }
    }

    /** A file's length, and when it was written last, in milliseconds since 1970. */
    record Status(long bytes, long modifiedMs) implements KeeperAnswer {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_STATUS;
        }

        @Override
        public int bodyBytes() {
            return 16;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(bytes).putLong(modifiedMs);
        }
    }

    /**
     * Bytes of a file. If they are fewer than was asked for, the file ends there.
     *
     * @param problem if it is not empty, what comes next can't be read, such as for a bad sector
     */
    record Bytes(String problem, ByteBuffer bytes) implements KeeperAnswer {
        @Override
        public FrameType type() {
            return FrameType.KEEPER_BYTES;
        }

        @Override
        public int bodyBytes() {
            return Texts.encodedBytes(problem) + bytes.remaining();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            Texts.write(problem, target);
            target.put(bytes.duplicate());
        }
    }

    /** A name, and the length of its file. */
    record Entry(KeptName name, long bytes) {}

    /**
     * Files in the order of their names, or the names in the folder itself with lengths of 0.
     *
     * @param more whether others come behind them
     */
    record Files(boolean more, List<Entry> entries) implements KeeperAnswer {

        /** Bytes of an entry. */
        public static int bytesOf(Entry entry) {
            return 8 + entry.name().encodedBytes();
        }

        @Override
        public FrameType type() {
            return FrameType.KEEPER_FILES;
        }

        @Override
        public int bodyBytes() {
            return 5 + entries.stream().mapToInt(Files::bytesOf).sum();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.put((byte) (more ? 1 : 0)).putInt(entries.size());
            for (Entry entry : entries) {
                entry.name().write(target);
                target.putLong(entry.bytes());
            }
        }

        static Files read(BodyReader in) throws DamagedDataException {
            int more = in.u8("whether more come");
            int count = in.length("count", KeepFormat.MAX_NAMES);
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Entry entry = new Entry(KeptName.read(in, "name"), in.u63("length"));
                if (i > 0 && entry.name().compareTo(entries.get(i - 1).name()) <= 0) {
                    throw in.damaged("'" + entry.name() + "' is not behind the name before it");
                }
                entries.add(entry);
            }
            if (more > 1 || (more == 1 && count == 0)) {
                throw in.damaged("no names, and more of them");
            }
            return new Files(more == 1, entries);
        }
    }

    /** Reads the body of an answer of this type. */
    static KeeperAnswer read(FrameType type, BodyReader in) throws DamagedDataException {
        KeeperAnswer answer =
                switch (type) {
                    case KEEPER_GREETING ->
                        new Greeting(
                                in.u16("oldest version"),
                                in.u16("newest version"),
                                in.uuid("process"),
                                in.text("product"));
                    case KEEPER_DONE -> new Done();
                    case KEEPER_NUMBER -> new Count(in.u63("number"));
                    case KEEPER_OPENED -> new Opened(in.i32("handle"));
                    case KEEPER_STATUS -> new Status(in.u63("length"), in.u63("time"));
                    case KEEPER_BYTES -> new Bytes(in.text("problem"), in.view("bytes", in.remaining()));
                    case KEEPER_FILES -> Files.read(in);
                    default -> throw in.damaged(type + " is nothing that a keeper answers");
                };
        in.end();
        return answer;
    }
}
