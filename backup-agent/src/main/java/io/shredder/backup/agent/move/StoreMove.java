// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A move of a repository to another store. It begins once, with two notes: the new store has one before anything is
 * there, and then the old store's header says where the repository is now. From then on only who names both stores can
 * open it, until all files are at the new one.
 *
 * @param header name of the file that says which repository it is
 * @param scratch a file of the agent's own disk for what is on its way
 * @param bytesPerSecond that are moved at most, if there is a limit
 */
public record StoreMove(String header, Path scratch, OptionalLong bytesPerSecond) {

    private static final Logger LOG = LoggerFactory.getLogger(StoreMove.class);

    /**
     * A store to be opened.
     *
     * @param address as it was given, in ASCII
     * @param opening opens it
     */
    public record Place(String address, Opening opening) {}

    /** Opens a store. */
    @FunctionalInterface
    public interface Opening {
        Storage open() throws IOException;
    }

    /** Refuses a store from which the repository went, and one to which some of it has not come yet. */
    public void requireWhole(Storage store, String address) throws IOException {
        requireArrived(store, address);
        Optional<MovedHeader> moved = moved(store);
        if (moved.isPresent()) {
            throw new IOException("the repository of store " + address + " has moved: name store "
                    + moved.get().to() + " with --store, and this one with --moves-from until all is there");
        }
    }

    private static void requireArrived(Storage store, String address) throws IOException {
        Optional<MoveNote> note = MoveNote.read(store);
        if (note.isPresent() && !note.get().done()) {
            throw new IOException("store " + address + " has only a part of its files, as some are still in "
                    + note.get().from() + ": name store " + address + " with --store, and that one with --moves-from");
        }
    }

    private Optional<MovedHeader> moved(Storage store) throws IOException {
        Optional<ByteBuffer> bytes = store.read(header);
        return bytes.isEmpty() ? Optional.empty() : MovedHeader.find(bytes.get(), header);
    }

    /**
     * Begins, or goes on: files are moved in the background until the storage is closed.
     *
     * @param old the store that has the repository; opened only as long as something is to be moved
     * @param store the new one
     */
    public Storage open(Place old, Place store) throws IOException {
        Storage to = store.opening().open();
        try {
            Optional<MoveNote> note = MoveNote.read(to);
            if (note.isPresent() && !note.get().from().equals(old.address())) {
                throw new IOException("store " + store.address() + " takes its files from "
                        + note.get().from() + ", not from " + old.address() + ": name that with --moves-from");
            }
            if (note.isPresent() && note.get().done()) {
                LOG.info(
                        "all files of {} are in {}: leave --moves-from out from now on, and delete the old store's"
                                + " folders",
                        old.address(),
                        store.address());
                requireWhole(to, store.address());
                return to;
            }
            return open(old, store, to, note);
        } catch (IOException | RuntimeException e) {
            to.close();
            throw e;
        }
    }

    private Storage open(Place old, Place store, Storage to, Optional<MoveNote> note) throws IOException {
        Storage from = old.opening().open();
        try {
            UUID move = note.map(MoveNote::move).orElseGet(UUID::randomUUID);
            MoveNote begun = new MoveNote(move, old.address(), false);
            Optional<MovedHeader> moved = moved(from);
            if (moved.isEmpty()) {
                begin(from, to, begun, store.address());
            } else if (note.isEmpty() || !moved.get().move().equals(move)) {
                throw new IOException("the repository of store " + old.address() + " has moved to "
                        + moved.get().to() + ", and not by this move to " + store.address()
                        + ": name that with --store");
            }
            MovingStorage both = new MovingStorage(from, to, Set.of(header, MoveNote.FILE));
            if (both.isReadOnly()) {
                LOG.warn("files of {} are moved only once enough of both stores is there to be changed", from);
            } else {
                both.closeBefore(BackgroundMove.start(both, this, new MoveNote(move, old.address(), true), to));
            }
            return both;
        } catch (IOException | RuntimeException e) {
            from.close();
            throw e;
        }
    }

    /** A crash before the last step leaves the old store as it was. */
    private void begin(Storage from, Storage to, MoveNote note, String address) throws IOException {
        requireArrived(from, note.from());
        ByteBuffer repository = from.read(header)
                .orElseThrow(() -> new IOException(
                        "store " + note.from() + " has no repository that could be moved: name one that has"));
        List<String> others = to.list("").stream()
                .map(StoredFile::name)
                .filter(name -> !name.equals(header) && !name.equals(MoveNote.FILE))
                .sorted()
                .toList();
        if (!others.isEmpty()) {
            throw new IOException("store " + address + " has files of its own, such as " + others.get(0)
                    + ": name a new one for what is moved");
        }
        if (from.isReadOnly() || to.isReadOnly()) {
            throw new IOException(
                    "a move can't begin while too few keepers are there to change both stores: bring them back");
        }
        note.write(to);
        to.replace(header, repository.duplicate());
        from.replace(header, new MovedHeader(note.move(), address).encode());
        LOG.info("the repository of {} moves to {}", note.from(), address);
    }
}
