// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.keepers;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How a store over several keepers stands: {@code docs/formats/dispersal.md}, section 9. Immutable.
 *
 * @param data keepers that give everything back
 * @param parity keepers that may be lost, at most 256 with the others
 * @param epoch of the agent that writes; 0 if it only reads, since too few keepers were there when it started
 * @param writable whether something can be written now
 * @param readable whether all that is kept can be read now, as far as is known
 * @param spareToWrite how many more keepers may die, whichever they are, before nothing can be written
 * @param spareToRead how many more keepers may die, whichever they are, before something can't be read
 * @param undecided files of which the keepers that are there can't tell what counts
 * @param keepers in the order of their places, as many as {@code data} and {@code parity}
 */
public record KeepersState(
        int data,
        int parity,
        int epoch,
        boolean writable,
        boolean readable,
        int spareToWrite,
        int spareToRead,
        long undecided,
        List<KeeperState> keepers) {

    /** So many keepers a store can have. */
    public static final int MOST_KEEPERS = 256;

    private static final int FIXED_BYTES = 5 * Short.BYTES + Integer.BYTES + Long.BYTES;

    /** No state is longer in a message. */
    public static final int MAX_BYTES = FIXED_BYTES + MOST_KEEPERS * KeeperState.MAX_BYTES;

    private static final int WRITABLE = 1;
    private static final int READABLE = 2;

    /** Copies the list. */
    public KeepersState {
        keepers = List.copyOf(keepers);
    }

    /** How many keepers must take a change before it counts. */
    public int leastToChange() {
        return Math.max(data, parity) + 1;
    }

    /** Whether nothing is to be done about any keeper. */
    public boolean isSound() {
        return writable && readable && keepers.stream().allMatch(KeeperState::isSound);
    }

    /** The same without what tells of the agent's machine, for a client that doesn't look after it. */
    public KeepersState withoutHomes() {
        return new KeepersState(
                data,
                parity,
                epoch,
                writable,
                readable,
                spareToWrite,
                spareToRead,
                undecided,
                keepers.stream().map(KeeperState::withoutHome).toList());
    }

    /** The same of a store that needs the other one, too: as much can be lost as the weaker one allows. */
    public KeepersState withLimitsOf(KeepersState other) {
        return new KeepersState(
                data,
                parity,
                epoch,
                writable && other.writable,
                readable && other.readable,
                Math.min(spareToWrite, other.spareToWrite),
                Math.min(spareToRead, other.spareToRead),
                undecided + other.undecided,
                keepers);
    }

    /** Length in messages. */
    public int encodedBytes() {
        return FIXED_BYTES
                + keepers.stream().mapToInt(KeeperState::encodedBytes).sum();
    }

    /** Writes {@link #encodedBytes} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putShort((short) data).putShort((short) parity).putInt(epoch);
        target.putShort((short) ((writable ? WRITABLE : 0) | (readable ? READABLE : 0)));
        target.putShort((short) spareToWrite).putShort((short) spareToRead).putLong(undecided);
        keepers.forEach(keeper -> keeper.write(target));
    }

    /** Reads one. */
    public static KeepersState read(BodyReader in) throws DamagedDataException {
        int data = in.u16("data");
        int parity = in.u16("parity");
        if (data < 1 || parity < 1 || data + parity > MOST_KEEPERS) {
            throw in.damaged("no store has " + data + " + " + parity + " keepers, before here");
        }
        int epoch = in.length("epoch", Integer.MAX_VALUE);
        int flags = in.u16("flags");
        if (flags > (WRITABLE | READABLE)) {
            throw in.damaged("flags " + flags + " are unknown, before here");
        }
        int spareToWrite = spare(in, "keepers to spare for writing", parity, (flags & WRITABLE) != 0);
        int spareToRead = spare(in, "keepers to spare for reading", parity, (flags & READABLE) != 0);
        long undecided = in.u63("undecided files");
        List<KeeperState> keepers = new ArrayList<>(data + parity);
        for (int i = 0; i < data + parity; i++) {
            keepers.add(KeeperState.read(in));
        }
        return new KeepersState(
                data,
                parity,
                epoch,
                (flags & WRITABLE) != 0,
                (flags & READABLE) != 0,
                spareToWrite,
                spareToRead,
                undecided,
                keepers);
    }

    private static int spare(BodyReader in, String field, int parity, boolean possible) throws DamagedDataException {
        int spare = in.u16(field);
        if (spare > (possible ? parity : 0)) {
            throw in.damaged(spare + " " + field + " are too many, before here");
        }
        return spare;
    }
}
