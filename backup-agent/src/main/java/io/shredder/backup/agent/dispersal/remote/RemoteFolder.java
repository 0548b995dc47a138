// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperChange;
import io.shredder.backup.wire.keep.KeeperRequest;
import io.shredder.backup.wire.keep.KeptName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A keeper's folder that is held, over one connection after the other. Safe for any number of threads. */
final class RemoteFolder implements Closeable {

    private final Way way;
    private final UUID holder;
    private @Nullable KeeperRoute route;
    private boolean closed;
    private volatile int epoch;

    /** A way to the keeper. */
    interface Way {
        KeeperRoute connect() throws IOException;
    }

    /** Connects when it is asked something. */
    RemoteFolder(Way way, UUID holder) {
        this.way = way;
        this.holder = holder;
    }

    /** A name as the keeper takes it. */
    static KeptName name(String file) throws IOException {
        try {
            return new KeptName(file);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Changes are made by this writer from now on. */
    void writesAs(int writer) {
        epoch = writer;
    }

    int epoch() {
        return epoch;
    }

    KeeperChange change(FrameType type, String file, long number) throws IOException {
        return new KeeperChange.OfFile(type, epoch, name(file), number);
    }

    /** The connection by which the folder is held: another one if the last was lost. Waits for it. */
    synchronized KeeperRoute route() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (route == null || !route.isOpen()) {
            if (route != null) {
                route.close();
            }
            KeeperRoute next = way.connect();
            try {
                next.await(new KeeperRequest.Hold(holder, epoch), KeeperAnswer.Done.class);
            } catch (IOException | RuntimeException e) {
                next.close();
                throw e;
            }
            route = next;
        }
        return route;
    }

    <T extends KeeperAnswer> T ask(KeeperRequest request, Class<T> type) throws IOException {
        return route().await(request, type);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (route != null) {
            route.close();
        }
    }
}
