// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The newest snapshot of a series that a client has seen; its file is one line of text.
 *
 * @param id that the agent gave it
 * @param ordinal in its series; 0 for one of before places were sealed
 * @param digest what its successor calls it
 * @param taken when its backup began
 */
record KnownCommit(long id, long ordinal, Fingerprint digest, Instant taken) {

    static KnownCommit of(ProvedSnapshot snapshot) {
        return new KnownCommit(
                snapshot.info().id(),
                snapshot.ordinal(),
                snapshot.digest(),
                Instant.ofEpochMilli(snapshot.summary().taken().toEpochMilli()));
    }

    private static StateFile at(Path file) {
        return new StateFile(
                file,
                "shredder-commit-1",
                4,
                "nobody knows what this site has seen of the series; look at it by 'shredder-backup list', then take it for whole by"
                        + " 'shredder-backup accept'");
    }

    static Optional<KnownCommit> read(Path file) throws IOException {
        Optional<List<String>> words = at(file).read();
        return words.isEmpty() ? Optional.empty() : Optional.of(parse(file, words.get()));
    }

    private static KnownCommit parse(Path file, List<String> words) throws IOException {
        try {
            return new KnownCommit(
                    Long.parseLong(words.get(0)),
                    Long.parseLong(words.get(1)),
                    Fingerprint.parseHex(words.get(2)),
                    Instant.ofEpochMilli(Long.parseLong(words.get(3))));
        } catch (IllegalArgumentException e) {
            throw at(file).damaged(0, "it is not as this program writes it");
        }
    }

    /** Writes it, unless a newer one is there. */
    void keep(Path file) throws IOException {
        at(file).write(
                        words(),
                        there -> there.isEmpty() || !parse(file, there.get()).isNewerThan(this));
    }

    /** Writes it in place of whatever is there. */
    void replace(Path file) throws IOException {
        at(file).write(words());
    }

    static void forget(Path file) throws IOException {
        at(file).delete();
    }

    private List<String> words() {
        return List.of(
                Long.toString(id), Long.toString(ordinal), digest.toString(), Long.toString(taken.toEpochMilli()));
    }

    /**
     * How a listing contradicts this, if it does, as far as that can be told without the key.
     *
     * @param key that sealed this, as its id is written
     * @param listed of all series
     */
    Optional<String> contradiction(SnapshotName series, String key, Collection<SnapshotInfo> listed) {
        boolean isFollowed = false;
        for (SnapshotInfo snapshot : listed) {
            if (!snapshot.name().equals(series)) {
                continue;
            } else if (snapshot.id() == id) {
                return SnapshotPlace.digest(snapshot).equals(digest)
                        ? Optional.empty()
                        : Optional.of(series + "@" + id
                                + " is not the snapshot that this site knows by this name, taken " + taken);
            }
            isFollowed |= snapshot.id() > id && snapshot.seal().key().toString().equals(key);
        }
        return isFollowed
                ? Optional.empty()
                : Optional.of("the agent lists less of '" + series + "' than it had: " + series + "@" + id + ", taken "
                        + taken + ", is not there, nor anything newer of key " + key);
    }

    boolean isOlderThan(ProvedSnapshot other) {
        return KnownCommit.of(other).isNewerThan(this);
    }

    private boolean isNewerThan(KnownCommit other) {
        return ordinal > other.ordinal || (other.ordinal == 0 && id > other.id);
    }
}
