// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.keep.OpenFiles.Growing;
import io.shredder.backup.agent.keep.OpenFiles.OpenFile;
import io.shredder.backup.agent.keep.OpenFiles.Reading;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperChange;
import io.shredder.backup.wire.keep.KeeperRequest;
import io.shredder.backup.wire.keep.KeptName;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one connection asks of the folder. Whoever doesn't hold it is told its names and its small files, and nothing
 * else. Requests with one {@link #strand} come one after the other; those of others may come beside them.
 */
final class KeepSession {

    /** What a thread read last, outside of the heap, where the system puts it. It is sent before the next read. */
    private static final ThreadLocal<ByteBuffer> READ =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(KeepFormat.MAX_BYTES));

    private final KeptFolder folder;
    private final Function<UUID, KeptFolder.Holder> asHolder;
    private final BooleanSupplier mayKeep;
    private final OpenFiles files = new OpenFiles();
    private volatile KeptFolder.@Nullable Holder holder;

    /**
     * Holds nothing yet.
     *
     * @param asHolder this connection's client as a holder with that id
     * @param mayKeep whether its certificate is still good for that
     */
    KeepSession(KeptFolder folder, Function<UUID, KeptFolder.Holder> asHolder, BooleanSupplier mayKeep) {
        this.folder = folder;
        this.asHolder = asHolder;
        this.mayKeep = mayKeep;
    }

    boolean holds() {
        return holder != null;
    }

    /** Requests with the same are answered in their order: those about one file. */
    String strand(KeeperRequest request) {
        if (request instanceof KeeperRequest.OfFile asked) {
            return asked.file().value();
        } else if (request instanceof KeeperRequest.OfHandle asked) {
            return nameOf(asked.handle());
        } else if (request instanceof KeeperRequest.ReadAt asked) {
            return nameOf(asked.handle());
        } else if (request instanceof KeeperChange.OfFile asked) {
            return asked.file().value();
        } else if (request instanceof KeeperChange.OfHandle asked) {
            return nameOf(asked.handle());
        } else if (request instanceof KeeperChange.Append asked) {
            return nameOf(asked.handle());
        } else if (request instanceof KeeperChange.Write asked) {
            return asked.file().value();
        } else if (request instanceof KeeperChange.Rename asked) {
            return asked.file().value();
        }
        return request.type().name();
    }

    private String nameOf(int handle) {
        return files.find(handle).map(OpenFile::name).map(KeptName::value).orElse("");
    }

    /** The answer, which must be encoded before this thread answers anything else. */
    KeeperAnswer answer(KeeperRequest request) throws IOException {
        if (request instanceof KeeperRequest.Hold asked) {
            return hold(asked);
        }
        if (request.type() == FrameType.KEEPER_NAMES) {
            return names();
        }
        if (request instanceof KeeperRequest.OfFile asked && asked.type() == FrameType.KEEPER_READ) {
            return read(asked.file());
        }
        if (holder == null) {
            throw new KeepRefusal(ErrorCode.INVALID, request.type() + " by whoever doesn't hold the keeper");
        }
        if (request instanceof KeeperChange change) {
            return changed(change);
        }
        return told(request);
    }

    private KeeperAnswer hold(KeeperRequest.Hold asked) throws IOException {
        if (holder != null) {
            throw new KeepRefusal(ErrorCode.INVALID, "this connection holds the keeper already");
        }
        KeptFolder.Holder next = asHolder.apply(asked.holder());
        folder.hold(next, asked.epoch());
        holder = next;
        return new KeeperAnswer.Done();
    }

    private KeeperAnswer names() throws IOException {
        folder.requireSameDisk();
        TreeSet<KeptName> names = new TreeSet<>();
        for (String name : folder.local().names().orElseThrow(() -> new NoSuchFileException(folder.root() + ""))) {
            names.add(named(name));
        }
        List<KeeperAnswer.Entry> entries = names.stream()
                .limit(KeepFormat.MAX_NAMES)
                .map(name -> new KeeperAnswer.Entry(name, 0))
                .toList();
        return new KeeperAnswer.Files(false, entries);
    }

    /** A name that no keeper's file has is told as another such one: the folder is not empty. */
    private static KeptName named(String name) {
        try {
            return new KeptName(name);
        } catch (IllegalArgumentException e) {
            return new KeptName("?");
        }
    }

    private KeeperAnswer read(KeptName file) throws IOException {
        folder.requireNoLink(file);
        long bytes = folder.storage().size(file.value());
        if (bytes > KeepFormat.MAX_SMALL_FILE) {
            throw new KeepRefusal(
                    ErrorCode.INVALID, file + " has " + bytes + " bytes, which is too long to be read at once");
        }
        ByteBuffer all = folder.storage()
                .read(file.value())
                .filter(read -> read.remaining() <= KeepFormat.MAX_SMALL_FILE)
                .orElseThrow(() -> new NoSuchFileException(file.value()));
        return new KeeperAnswer.Bytes("", all);
    }

    private KeeperAnswer told(KeeperRequest request) throws IOException {
        return switch (request.type()) {
            case KEEPER_USABLE -> new KeeperAnswer.Count(folder.storage().usableBytes());
            case KEEPER_LIST -> listed((KeeperRequest.ListFiles) request);
            case KEEPER_READ_AT -> readAt((KeeperRequest.ReadAt) request);
            case KEEPER_SIZE ->
                new KeeperAnswer.Count(files.reading(((KeeperRequest.OfHandle) request).handle())
                        .file()
                        .size());
            case KEEPER_CLOSE -> {
                files.close(((KeeperRequest.OfHandle) request).handle());
                yield new KeeperAnswer.Done();
            }
            default -> told(request.type(), ((KeeperRequest.OfFile) request).file());
        };
    }

    private KeeperAnswer listed(KeeperRequest.ListFiles asked) throws IOException {
        if (asked.folder().isPresent()) {
            folder.requireNoLink(asked.folder().get());
        }
        return FolderPages.page(folder.root(), asked.folder(), asked.after());
    }

    private KeeperAnswer told(FrameType type, KeptName file) throws IOException {
        folder.requireNoLink(file);
        if (type == FrameType.KEEPER_HAS) {
            return new KeeperAnswer.Count(folder.home().has(file.value()) ? 1 : 0);
        }
        if (type == FrameType.KEEPER_STAT) {
            Instant modified = folder.storage().lastModified(file.value());
            return new KeeperAnswer.Status(folder.storage().size(file.value()), Math.max(0, modified.toEpochMilli()));
        }
        files.requireRoom();
        return new KeeperAnswer.Opened(
                files.add(new Reading(file, folder.storage().open(file.value()))));
    }

    private KeeperAnswer readAt(KeeperRequest.ReadAt asked) throws IOException {
        Reading reading = files.reading(asked.handle());
        ByteBuffer bytes = READ.get().clear().limit(asked.length());
        String problem = "";
        try {
            reading.file().readFully(bytes, asked.position());
        } catch (EOFException e) {
            problem = ""; // Fewer bytes say so.
        } catch (DamagedDataException e) {
            problem = e.problem();
        }
        return new KeeperAnswer.Bytes(problem, bytes.flip());
    }

    private KeeperAnswer changed(KeeperChange change) throws IOException {
        if (!(change instanceof KeeperChange.Append) && !mayKeep.getAsBoolean()) {
            throw new KeepRefusal(
                    ErrorCode.NOT_PERMITTED, "the certificate is not good for this keeper any more: see its rights");
        }
        if (change instanceof KeeperChange.Write write && isWriter(write)) {
            folder.replaceWriter(write.bytes());
            return new KeeperAnswer.Done();
        }
        if (change.type() != FrameType.KEEPER_MAKE_FOLDER) {
            folder.requireWriter(change.epoch()); // A folder that is made harms nobody, and comes before any epoch.
        }
        if (change instanceof KeeperChange.Write write) {
            return written(write);
        } else if (change instanceof KeeperChange.Append append) {
            Growing growing = files.growing(append.handle());
            growing.orFail(() -> growing.file().append(append.bytes()));
        } else if (change instanceof KeeperChange.OfHandle open) {
            Growing growing = files.growing(open.handle());
            growing.orFail(open.type() == FrameType.KEEPER_FORCE ? growing.file()::force : growing.file()::writeBehind);
        } else if (change instanceof KeeperChange.Rename rename) {
            folder.requireNoLink(rename.file());
            folder.requireNoLink(rename.name());
            requireShard(rename.file());
            requireShard(rename.name());
            folder.home().rename(rename.file().value(), rename.name().value());
        } else {
            change((KeeperChange.OfFile) change);
        }
        return new KeeperAnswer.Done();
    }

    private static boolean isWriter(KeeperChange.Write write) {
        return write.type() == FrameType.KEEPER_REPLACE && write.file().value().equals(Keeper.WRITER);
    }

    /** Of {@code writer} there is one way to change it, in which epochs only grow. */
    private static void requireShard(KeptName file) throws KeepRefusal {
        String name = file.value();
        if (name.equals(Keeper.WRITER) || name.equals(Keeper.WRITER + ".tmp")) {
            throw new KeepRefusal(ErrorCode.NOT_PERMITTED, name + " is replaced, and not changed otherwise");
        }
    }

    private KeeperAnswer written(KeeperChange.Write write) throws IOException {
        folder.requireNoLink(write.file());
        requireShard(write.file());
        if (write.type() == FrameType.KEEPER_REPLACE) {
            folder.requireNoLinkToReplace(write.file());
            folder.storage().replace(write.file().value(), write.bytes());
            return new KeeperAnswer.Done();
        }
        files.requireRoom();
        return new KeeperAnswer.Opened(files.add(
                new Growing(write.file(), folder.storage().create(write.file().value(), write.bytes()))));
    }

    private void change(KeeperChange.OfFile change) throws IOException {
        KeptName file = change.file();
        folder.requireNoLink(file);
        requireShard(file);
        switch (change.type()) {
            case KEEPER_DELETE -> folder.storage().delete(file.value());
            case KEEPER_FORCE_FILE -> folder.storage().force(file.value());
            case KEEPER_MAKE_FOLDER -> folder.home().makeFolder(file.value());
            case KEEPER_CUT -> folder.storage().cut(file.value(), change.number());
            default -> folder.home().setModified(file.value(), Instant.ofEpochMilli(change.number()));
        }
    }

    /** Nothing of it is under way any more. Its files are as a dead writer leaves them. */
    void end() {
        files.closeAll();
        Optional.ofNullable(holder).ifPresent(folder::release);
    }
}
