// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.keepers;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * How one keeper of a store stands, as far as the agent knows. Immutable.
 *
 * @param condition what it is now
 * @param home where it is, such as a folder of the agent's machine; empty if whoever asks isn't told
 * @param why it is not whole, in words; empty if it is, or if whoever asks isn't told
 * @param since when it is left out, or could not be read; empty if it is neither
 * @param lacking files of which it has not all that it should have, as far as is known. Of one that was away when the
 *     agent started: of what was written since
 * @param damaged places at which it was found to have something else than it was given, since the agent's start
 * @param filledBytes that the agent has given it, of {@code toFillBytes}; both are 0 unless it is being given what it
 *     lacks
 */
public record KeeperState(
        Condition condition,
        String home,
        String why,
        Optional<Instant> since,
        long lacking,
        long damaged,
        long filledBytes,
        long toFillBytes) {

    private static final int FIXED_BYTES = 1 + 5 * Long.BYTES;

    /** None is longer in a message. */
    static final int MAX_BYTES = FIXED_BYTES + 2 * (Short.BYTES + Texts.MAX_BYTES);

    /** What a keeper is. */
    public enum Condition {
        /** It has what it was given, takes changes and is read. */
        WHOLE(0, "whole"),
        /** It isn't there, or doesn't count. */
        AWAY(1, "away"),
        /** It is there, and doesn't answer, or can't be read. */
        SILENT(2, "silent"),
        /** It failed a change, and gets no more until it comes back; it is still read. */
        LEFT_OUT(3, "left out"),
        /** It is new, takes changes, and doesn't count before it has all else. */
        FILLING(4, "being filled");

        private final int code;
        private final String words;

        Condition(int code, String words) {
            this.code = code;
            this.words = words;
        }

        /** For messages. */
        public String words() {
            return words;
        }

        /** For programs: one word. */
        public String word() {
            return words.replace(' ', '-');
        }

        private static Condition read(BodyReader in) throws DamagedDataException {
            int code = in.u8("condition");
            for (Condition condition : values()) {
                if (condition.code == code) {
                    return condition;
                }
            }
            throw in.damaged("a keeper's condition is " + code + ", before here");
        }
    }

    /** Whether nothing is to be done about it. */
    public boolean isSound() {
        return condition == Condition.WHOLE && lacking == 0 && damaged == 0;
    }

    /** The same without what tells of the agent's machine. */
    KeeperState withoutHome() {
        return new KeeperState(condition, "", "", since, lacking, damaged, filledBytes, toFillBytes);
    }

    int encodedBytes() {
        return FIXED_BYTES + Texts.encodedBytes(home) + Texts.encodedBytes(why);
    }

    void write(ByteBuffer target) {
        target.put((byte) condition.code);
        target.putLong(since.map(Instant::toEpochMilli).orElse(0L));
        target.putLong(lacking).putLong(damaged).putLong(filledBytes).putLong(toFillBytes);
        Texts.write(home, target);
        Texts.write(why, target);
    }

    static KeeperState read(BodyReader in) throws DamagedDataException {
        Condition condition = Condition.read(in);
        long since = in.u63("since when");
        long lacking = in.u63("files that are lacking");
        long damaged = in.u63("damaged places");
        long filledBytes = in.u63("bytes that were filled");
        long toFillBytes = in.u63("bytes to be filled");
        String home = in.text("a keeper's home");
        return new KeeperState(
                condition,
                home,
                in.text("why"),
                since == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(since)),
                lacking,
                damaged,
                filledBytes,
                toFillBytes);
    }
}
