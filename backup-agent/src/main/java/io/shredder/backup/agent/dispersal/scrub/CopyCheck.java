// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.Copies;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.Keepers;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Checks one version that each keeper has whole: the bytes are those that more than half of the sound copies have. */
final class CopyCheck {

    private final Keepers keepers;
    private final StoredVersion version;
    private final Instant modified;
    private final ScrubTally tally;
    private final Map<Integer, ByteBuffer> sound = new TreeMap<>();
    private final Map<Integer, KeeperFinding> wrong = new TreeMap<>();

    /**
     * For one version.
     *
     * @param modified the time that copies get that are written anew
     */
    CopyCheck(Keepers keepers, StoredVersion version, Instant modified, ScrubTally tally) {
        this.keepers = keepers;
        this.version = version;
        this.modified = modified;
        this.tally = tally;
    }

    void run() {
        keepers.all().forEach(this::read);
        Optional<ByteBuffer> agreed = agreed();
        if (agreed.isEmpty()) {
            tally.unreadable(version.name() + ": "
                    + (sound.isEmpty()
                            ? "no keeper that is there has a sound copy"
                            : "the keepers' sound copies differ, and no half of them agrees"));
        }
        for (Keeper keeper : keepers.all()) {
            agreed.ifPresent(bytes -> compare(keeper, bytes));
            KeeperFinding found = wrong.get(keeper.index());
            if (found != null) {
                tally.found(keeper, List.of(found), agreed.isPresent(), () -> mend(keeper, agreed.orElseThrow()));
            }
        }
        tally.fileChecked();
    }

    private void read(Keeper keeper) {
        try {
            ByteBuffer bytes = Copies.readAt(keepers.dispersal(), keeper, version);
            sound.put(keeper.index(), bytes);
            tally.read(ShardHeader.BYTES + bytes.remaining());
        } catch (NoSuchFileException e) {
            if (keeper.isThere()) {
                note(keeper, 0, "the copy isn't there", true);
            } else {
                tally.away(keeper.index(), "it went away");
            }
        } catch (OtherVersionException e) {
            tally.away(keeper.index(), String.valueOf(e.getMessage()));
        } catch (DamagedDataException e) {
            note(keeper, e.offset(), String.valueOf(e.getMessage()), false);
        } catch (EOFException e) {
            note(keeper, 0, "it ends too early", false);
        } catch (IOException e) {
            tally.away(keeper.index(), String.valueOf(e.getMessage()));
        }
    }

    private void note(Keeper keeper, long offset, String problem, boolean owed) {
        KeeperFinding finding =
                new KeeperFinding(keeper.index(), keeper.path(version.file()), offset, problem, owed, false);
        wrong.put(keeper.index(), finding);
    }

    private Optional<ByteBuffer> agreed() {
        return sound.values().stream()
                .filter(bytes ->
                        2 * sound.values().stream().filter(bytes::equals).count() > sound.size())
                .findFirst();
    }

    private void compare(Keeper keeper, ByteBuffer bytes) {
        ByteBuffer own = sound.get(keeper.index());
        if (own != null && !own.equals(bytes)) {
            note(keeper, ShardHeader.BYTES + own.mismatch(bytes), "a sound copy that most keepers deny", false);
        }
    }

    private void mend(Keeper keeper, ByteBuffer bytes) throws IOException {
        mend(keepers, version, keeper, bytes, () -> keeper.finish(version, modified));
    }

    /** A last step that gives a copy its name. */
    @FunctionalInterface
    interface Finish {
        void run() throws IOException;
    }

    /** Writes a keeper's copy anew, in a part beside it, which is read again. Leaves no part behind. */
    static void mend(Keepers keepers, StoredVersion version, Keeper keeper, ByteBuffer bytes, Finish finish)
            throws IOException {
        keeper.requireWriter(keepers.epoch());
        ShardHeader header = new ShardHeader(
                keepers.dispersal(), keeper.index(), version, Keepers.members(keepers.all()), bytes.remaining());
        ByteBuffer all = Copies.encoded(header, bytes);
        try {
            keeper.createPart(version, all.duplicate());
            String part = version.file() + StoredVersion.PART;
            if (!keeper.storage().read(part).equals(Optional.of(all))) {
                throw new DamagedDataException(part, 0, "what was written is not what is read");
            }
            keeper.requireWriter(keepers.epoch());
            finish.run();
        } finally {
            keeper.removePart(version); // Has its name by now, or shall have none.
        }
    }
}
