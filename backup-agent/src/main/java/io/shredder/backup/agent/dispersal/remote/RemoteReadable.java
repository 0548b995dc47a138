// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperRequest;
import io.shredder.backup.wire.keep.KeptName;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** A file of a keeper, open for reading. If the connection was lost, it is opened again by its name. */
final class RemoteReadable implements ReadableFile {

    private final RemoteFolder folder;
    private final KeptName file;
    private volatile Opened opened;
    private volatile boolean closed;

    /** Open over one connection. */
    private record Opened(KeeperRoute route, int handle, ReadAhead ahead) {}

    private RemoteReadable(RemoteFolder folder, KeptName file) throws IOException {
        this.folder = folder;
        this.file = file;
        this.opened = opened();
    }

    static RemoteReadable open(RemoteFolder folder, KeptName file) throws IOException {
        return new RemoteReadable(folder, file);
    }

    private Opened opened() throws IOException {
        KeeperRoute route = folder.route();
        int handle = route.await(new KeeperRequest.OfFile(FrameType.KEEPER_OPEN, file), KeeperAnswer.Opened.class)
                .handle();
        return new Opened(
                route,
                handle,
                new ReadAhead((position, length) ->
                        route.ask(new KeeperRequest.ReadAt(handle, position, length), KeeperAnswer.Bytes.class)));
    }

    private Opened current() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (!opened.route().isOpen()) {
            opened = opened();
        }
        return opened;
    }

    @Override
    public long size() throws IOException {
        Opened now = current();
        return now.route()
                .await(new KeeperRequest.OfHandle(FrameType.KEEPER_SIZE, now.handle()), KeeperAnswer.Count.class)
                .value();
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int length = Math.min(target.remaining(), KeepFormat.MAX_BYTES);
            KeeperAnswer.Bytes answer = current().ahead().read(at, length);
            int count = answer.bytes().remaining();
            if (count <= length) {
                target.put(answer.bytes().duplicate());
            }
            requireWhole(answer, at, length);
            at += count;
        }
    }

    @Override
    public ByteBuffer read(long position, int length, IntFunction<ByteBuffer> memory) throws IOException {
        if (length > KeepFormat.MAX_BYTES) {
            return ReadableFile.super.read(position, length, memory);
        }
        Opened now = current();
        KeeperRequest question = new KeeperRequest.ReadAt(now.handle(), position, length);
        KeeperAnswer.Bytes answer = now.route().await(question, KeeperAnswer.Bytes.class);
        requireWhole(answer, position, length);
        return answer.bytes();
    }

    /** Nothing that has to connect: who asks doesn't wait. */
    @Override
    public synchronized Optional<CompletableFuture<ByteBuffer>> ask(long position, int length) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        Opened now = opened;
        if (length > KeepFormat.MAX_BYTES || !now.route().isOpen()) {
            return Optional.empty();
        }
        KeeperRequest question = new KeeperRequest.ReadAt(now.handle(), position, length);
        return Optional.of(now.route()
                .ask(question, KeeperAnswer.Bytes.class)
                .thenCompose(answer -> whole(answer, position, length)));
    }

    private CompletableFuture<ByteBuffer> whole(KeeperAnswer.Bytes answer, long at, int length) {
        try {
            requireWhole(answer, at, length);
            return CompletableFuture.completedFuture(answer.bytes());
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void requireWhole(KeeperAnswer.Bytes answer, long at, int length) throws IOException {
        int count = answer.bytes().remaining();
        if (count > length) {
            throw new DamagedDataException(file.value(), at, "the keeper gave more than it was asked for");
        }
        if (!answer.problem().isEmpty()) {
            throw new DamagedDataException(file.value(), at + count, answer.problem());
        }
        if (count < length) {
            throw new EOFException("'" + file + "' ends at " + (at + count));
        }
    }

    /** What was asked before is answered before. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        Opened last = opened;
        if (last.route().isOpen()) {
            var unused = last.route()
                    .ask(new KeeperRequest.OfHandle(FrameType.KEEPER_CLOSE, last.handle()), KeeperAnswer.Done.class);
        }
    }
}
