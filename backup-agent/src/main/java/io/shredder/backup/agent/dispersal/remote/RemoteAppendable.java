// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.keep.KeepFormat;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperChange;
import io.shredder.backup.wire.keep.KeeperRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A file that grows at a keeper. What is appended is on its way when that returns, as is what comes next: an append
 * that fails says so when the file is appended to, shown, forced or closed the next time. So it is for one connection:
 * if that is lost, nobody knows what arrived.
 */
final class RemoteAppendable implements AppendableFile {

    private final RemoteFolder folder;
    private final KeeperRoute route;
    private final int handle;
    private final String file;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private volatile @Nullable IOException failure;

    /** Whether whoever appends has been told of the failure: until then, the next step says why it is one. */
    private volatile boolean told;

    private boolean closed;

    /** @param handle by which the connection knows it */
    RemoteAppendable(RemoteFolder folder, KeeperRoute route, int handle, String file) {
        this.folder = folder;
        this.route = route;
        this.handle = handle;
        this.file = file;
    }

    private void refuseIfFailed() throws IOException {
        IOException first = failure;
        if (first != null) {
            told = true;
            throw first;
        }
        if (closed) {
            throw new IOException("'" + file + "' is closed");
        }
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            refuseIfFailed();
            ByteBuffer part = bytes.slice(bytes.position(), Math.min(bytes.remaining(), KeepFormat.MAX_BYTES));
            int count = part.remaining();
            route.awaitRoom(count);
            begin(new KeeperChange.Append(folder.epoch(), handle, part), count);
            bytes.position(bytes.position() + count);
        }
    }

    @Override
    public void writeBehind() throws IOException {
        refuseIfFailed();
        begin(new KeeperChange.OfHandle(FrameType.KEEPER_WRITE_BEHIND, folder.epoch(), handle), 0);
    }

    /** @param room that is given back with the answer */
    private void begin(KeeperChange change, int room) {
        last = route.ask(change, KeeperAnswer.Done.class).whenComplete((done, error) -> {
            route.giveBackRoom(room);
            if (error != null && failure == null) {
                failure = KeeperRoute.problem(error);
            }
        });
    }

    @Override
    public void force() throws IOException {
        refuseIfFailed();
        begin(new KeeperChange.OfHandle(FrameType.KEEPER_FORCE, folder.epoch(), handle), 0);
        awaitLast();
    }

    @Override
    public void show() throws IOException {
        refuseIfFailed();
        awaitLast();
    }

    /** Requests about one file are answered in their order, so that none before it is under way then. */
    private void awaitLast() throws IOException {
        try {
            KeeperRoute.await(last);
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        refuseIfFailed();
    }

    /** A question of this connection's about the file comes behind what was appended before. */
    @Override
    public boolean showsAtOnce() {
        return true;
    }

    @Override
    public boolean canGrow() {
        return !closed && isSound();
    }

    @Override
    public boolean isSound() {
        return !told;
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (route.isOpen()) {
            route.await(new KeeperRequest.OfHandle(FrameType.KEEPER_CLOSE, handle), KeeperAnswer.Done.class);
        }
        IOException first = failure;
        if (first != null) {
            throw first;
        }
    }
}
