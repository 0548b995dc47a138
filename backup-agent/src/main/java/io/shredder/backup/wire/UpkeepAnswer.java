// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an agent says about what it keeps as a whole. */
public sealed interface UpkeepAnswer extends Answer {

    /**
     * How far the collection of this connection has come.
     *
     * @param done whether it is over; otherwise ask for the next step
     * @param markedChunks pointers followed so far
     * @param garbageBytes of chunks that nothing needs, in all containers; 0 until all is marked
     * @param freedBytes given back so far
     * @param copiedBytes of chunks that are needed, copied out of containers that went
     * @param deletedContainers so far
     * @param leftContainers still to be swept
     * @param problems of this step: a line for each container that was left as it is
     */
    record Collected(
            boolean done,
            long markedChunks,
            long garbageBytes,
            long freedBytes,
            long copiedBytes,
            int deletedContainers,
            int leftContainers,
            List<String> problems)
            implements UpkeepAnswer {
        @Override
        public FrameType type() {
            return FrameType.COLLECTED;
        }

        @Override
        public int bodyBytes() {
            return 1
                    + 4 * Long.BYTES
                    + 3 * Integer.BYTES
                    + problems.stream().mapToInt(Texts::encodedBytes).sum();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.put((byte) (done ? 1 : 0));
            target.putLong(markedChunks)
                    .putLong(garbageBytes)
                    .putLong(freedBytes)
                    .putLong(copiedBytes);
            target.putInt(deletedContainers).putInt(leftContainers).putInt(problems.size());
            problems.forEach(line -> Texts.write(line, target));
        }
    }

    /**
     * How much is kept, and what the client may do.
     *
     * @param namespace of the client
     * @param rights the client's, in words
     * @param snapshots of the namespace
     * @param imageBytes length of their images together
     * @param quotaBytes the most that {@code imageBytes} may become; 0 if that is not limited
     * @param chunks in the whole repository, all namespaces, garbage included
     * @param containers of the whole repository
     * @param containerBytes their length
     * @param usableBytes still free where they are
     */
    record Statistics(
            SnapshotName namespace,
            List<String> rights,
            long snapshots,
            long imageBytes,
            long quotaBytes,
            long chunks,
            long containers,
            long containerBytes,
            long usableBytes)
            implements UpkeepAnswer {
        @Override
        public FrameType type() {
            return FrameType.STATISTICS;
        }

        @Override
        public int bodyBytes() {
            return 7 * Long.BYTES
                    + Texts.encodedBytes(namespace.value())
                    + Integer.BYTES
                    + rights.stream().mapToInt(Texts::encodedBytes).sum();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(snapshots).putLong(imageBytes).putLong(quotaBytes).putLong(chunks);
            target.putLong(containers).putLong(containerBytes).putLong(usableBytes);
            Texts.write(namespace.value(), target);
            target.putInt(rights.size());
            rights.forEach(word -> Texts.write(word, target));
        }
    }

    /** A deletion that waits for a second client; empty if there is none. */
    record Pending(Optional<PendingDeletion> deletion) implements UpkeepAnswer {
        @Override
        public FrameType type() {
            return FrameType.PENDING_DELETION;
        }

        @Override
        public int bodyBytes() {
            return 1 + deletion.map(PendingDeletion::encodedBytes).orElse(0);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.put((byte) (deletion.isPresent() ? 1 : 0));
            deletion.ifPresent(waiting -> waiting.write(target));
        }
    }

    /** How the keepers of the agent's store stand; empty if it has none. Since {@link WireFormat#KEEPERS_VERSION}. */
    record Keepers(Optional<KeepersState> state) implements UpkeepAnswer {
        @Override
        public FrameType type() {
            return FrameType.KEEPERS_STATE;
        }

        @Override
        public int bodyBytes() {
            return 1 + state.map(KeepersState::encodedBytes).orElse(0);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.put((byte) (state.isPresent() ? 1 : 0));
            state.ifPresent(there -> there.write(target));
        }
    }

    /** Reads the body of an answer of this type. */
    static UpkeepAnswer read(FrameType type, BodyReader in) throws DamagedDataException {
        return switch (type) {
            case COLLECTED -> collected(in);
            case STATISTICS -> statistics(in);
            case PENDING_DELETION ->
                new Pending(isThere(in) ? Optional.of(PendingDeletion.read(in)) : Optional.empty());
            case KEEPERS_STATE -> new Keepers(isThere(in) ? Optional.of(KeepersState.read(in)) : Optional.empty());
            default -> throw in.damaged("an agent may not send " + type);
        };
    }

    private static boolean isThere(BodyReader in) throws DamagedDataException {
        int there = in.u8("whether there is one");
        if (there > 1) {
            throw in.damaged("whether there is one, " + there + ", is neither 0 nor 1, before here");
        }
        return there == 1;
    }

    private static Collected collected(BodyReader in) throws DamagedDataException {
        int done = in.u8("done");
        if (done > 1) {
            throw in.damaged("done " + done + " is neither 0 nor 1, before here");
        }
        return new Collected(
                done == 1,
                in.u63("marked chunks"),
                in.u63("garbage"),
                in.i64("freed bytes"),
                in.u63("copied bytes"),
                in.length("deleted containers", Integer.MAX_VALUE),
                in.length("containers left", Integer.MAX_VALUE),
                texts(in, "problems"));
    }

    private static Statistics statistics(BodyReader in) throws DamagedDataException {
        long snapshots = in.u63("snapshots");
        long imageBytes = in.u63("image length");
        long quotaBytes = in.u63("quota");
        long chunks = in.u63("chunks");
        long containers = in.u63("containers");
        long containerBytes = in.u63("length of containers");
        long usableBytes = in.u63("usable bytes");
        SnapshotName namespace = SnapshotInfo.name(in);
        return new Statistics(
                namespace,
                texts(in, "rights"),
                snapshots,
                imageBytes,
                quotaBytes,
                chunks,
                containers,
                containerBytes,
                usableBytes);
    }

    private static List<String> texts(BodyReader in, String field) throws DamagedDataException {
        int count = in.length(field, WireFormat.MAX_BATCH);
        List<String> texts = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            texts.add(in.text(field));
        }
        return texts;
    }
}
