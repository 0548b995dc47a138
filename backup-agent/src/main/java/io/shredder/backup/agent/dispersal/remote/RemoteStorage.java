// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperChange;
import io.shredder.backup.wire.keep.KeeperRequest;
import io.shredder.backup.wire.keep.KeptName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The files of a keeper that is held on another machine. Blocks as long as the keeper does. */
final class RemoteStorage implements Storage {

    /** More than a keeper can have: what lists more of them lies. */
    private static final int MOST_FILES = 1 << 22;

    /** More than any small file has: a keeper's word on that is memory here. */
    private static final int MOST_SMALL_BYTES = 65 << 20;

    private final RemoteFolder folder;

    /** Owns the folder. */
    RemoteStorage(RemoteFolder folder) {
        this.folder = folder;
    }

    @Override
    public List<StoredFile> list(String below) throws IOException {
        Optional<KeptName> start = below.isEmpty() ? Optional.empty() : Optional.of(RemoteFolder.name(below));
        List<StoredFile> files = new ArrayList<>();
        Optional<KeptName> last = Optional.empty();
        boolean more = true;
        while (more) {
            KeeperAnswer.Files page = folder.ask(new KeeperRequest.ListFiles(start, last), KeeperAnswer.Files.class);
            for (KeeperAnswer.Entry entry : page.entries()) {
                boolean isNext =
                        last.map(before -> before.compareTo(entry.name()) < 0).orElse(true);
                if (!isNext || files.size() == MOST_FILES) {
                    throw new IOException("the keeper lists '" + entry.name() + "' where it can't be");
                }
                files.add(new StoredFile(entry.name().value(), entry.bytes()));
                last = Optional.of(entry.name());
            }
            more = page.more();
        }
        return files;
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        return RemoteReadable.open(folder, RemoteFolder.name(file));
    }

    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        KeptName name = RemoteFolder.name(file);
        ByteBuffer first = head.slice(head.position(), Math.min(head.remaining(), KeepFormat.MAX_BYTES));
        head.position(head.position() + first.remaining());
        KeeperRoute route = folder.route();
        int handle = route.await(
                        new KeeperChange.Write(FrameType.KEEPER_CREATE, folder.epoch(), name, first),
                        KeeperAnswer.Opened.class)
                .handle();
        RemoteAppendable created = new RemoteAppendable(folder, route, handle, file);
        if (head.hasRemaining()) {
            try {
                created.append(head);
                created.force();
            } catch (IOException e) {
                created.close();
                throw e;
            }
        }
        return created;
    }

    @Override
    public Optional<AppendableFile> resume(String file, long bytes) {
        return Optional.empty();
    }

    @Override
    public boolean resumes() {
        return false;
    }

    /** The keeper's process has closed it. */
    @Override
    public void endWriting(String file) {}

    private void change(FrameType type, String file, long number) throws IOException {
        folder.ask(folder.change(type, file, number), KeeperAnswer.Done.class);
    }

    @Override
    public void force(String file) throws IOException {
        change(FrameType.KEEPER_FORCE_FILE, file, 0);
    }

    @Override
    public void cut(String file, long bytes) throws IOException {
        change(FrameType.KEEPER_CUT, file, bytes);
    }

    @Override
    public void delete(String file) throws IOException {
        change(FrameType.KEEPER_DELETE, file, 0);
    }

    @Override
    public void publish(Path whole, String file) throws IOException {
        String part = file + ".tmp";
        ByteBuffer buffer = ByteBuffer.allocate(KeepFormat.MAX_BYTES);
        try (FileChannel source = FileChannel.open(whole);
                AppendableFile made = create(part, ByteBuffer.allocate(0))) {
            while (source.read(buffer.clear()) >= 0) {
                made.append(buffer.flip());
            }
            made.force();
        }
        rename(part, file);
    }

    private void rename(String file, String name) throws IOException {
        folder.ask(
                new KeeperChange.Rename(folder.epoch(), RemoteFolder.name(file), RemoteFolder.name(name)),
                KeeperAnswer.Done.class);
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        if (bytes.remaining() > KeepFormat.MAX_BYTES) {
            String part = file + ".tmp";
            try (AppendableFile made = create(part, bytes)) {
                made.force();
            }
            rename(part, file);
            return;
        }
        folder.ask(
                new KeeperChange.Write(
                        FrameType.KEEPER_REPLACE, folder.epoch(), RemoteFolder.name(file), bytes.duplicate()),
                KeeperAnswer.Done.class);
        bytes.position(bytes.limit());
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        try (ReadableFile opened = open(file)) {
            long size = opened.size();
            if (size > MOST_SMALL_BYTES) {
                throw new IOException("'" + file + "' has " + size + " bytes, which no small file has");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) size);
            opened.readFully(bytes, 0);
            return Optional.of(bytes.flip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private KeeperAnswer.Status status(String file) throws IOException {
        return folder.ask(
                new KeeperRequest.OfFile(FrameType.KEEPER_STAT, RemoteFolder.name(file)), KeeperAnswer.Status.class);
    }

    @Override
    public long size(String file) throws IOException {
        return status(file).bytes();
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return Instant.ofEpochMilli(status(file).modifiedMs());
    }

    @Override
    public long usableBytes() throws IOException {
        return folder.ask(new KeeperRequest.Plain(FrameType.KEEPER_USABLE), KeeperAnswer.Count.class)
                .value();
    }

    @Override
    public void close() {
        folder.close();
    }
}
