// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.netty.handler.ssl.SslContext;
import io.shredder.backup.agent.dispersal.home.HeldHome;
import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.Patience;
import io.shredder.backup.agent.dispersal.home.PatientStorage;
import io.shredder.backup.agent.dispersal.home.SignOfLife;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.keep.KeeperAnswer;
import io.shredder.backup.wire.keep.KeeperChange;
import io.shredder.backup.wire.keep.KeeperRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A folder that {@code backup-agent keep} offers on another machine. It is held by a connection; if that is lost, the
 * next question makes another one, by the same holder. A keeper that hangs, or is down, is {@link Patience silent}.
 */
final class RemoteHome implements KeeperHome {

    /** How long a connection waits for another question. */
    private static final Duration SPARE = Duration.ofSeconds(2);

    private final AtomicReference<@Nullable KeeperRoute> spare = new AtomicReference<>();
    private final HostPort place;
    private final SslContext tls;
    private final UUID holder;
    private final Patience patience;

    /** Asks nothing yet. */
    RemoteHome(HostPort place, SslContext tls, UUID holder, Patience.Limits limits) {
        this.place = place;
        this.tls = tls;
        this.holder = holder;
        this.patience = new Patience("keeper " + this, limits, this::askNames);
    }

    /** The connection that is left of the last question, or a new one. */
    private KeeperRoute connect() throws IOException {
        KeeperRoute last = spare.getAndSet(null);
        return last != null && last.isOpen() ? last : new KeeperRoute(place, tls, KeeperRoute.SILENCE);
    }

    /** Keeps it for the next question, if that comes soon: a store that opens asks several. */
    private void keepAWhile(KeeperRoute route) {
        KeeperRoute other = spare.getAndSet(route);
        if (other != null) {
            other.close();
        }
        route.after(SPARE, () -> {
            if (spare.compareAndSet(route, null)) {
                route.close();
            }
        });
    }

    private interface Question<T> {
        T of(KeeperRoute route) throws IOException;
    }

    private <T> T asked(Question<T> question) throws IOException {
        KeeperRoute route = connect();
        try {
            return question.of(route);
        } finally {
            keepAWhile(route);
        }
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return patience.ask(() -> {
            KeeperRequest question = new KeeperRequest.OfFile(FrameType.KEEPER_READ, RemoteFolder.name(file));
            try {
                ByteBuffer bytes = asked(route -> route.await(question, KeeperAnswer.Bytes.class))
                        .bytes();
                byte[] all = new byte[bytes.remaining()];
                bytes.get(all);
                return Optional.of(ByteBuffer.wrap(all));
            } catch (NoSuchFileException e) {
                return Optional.<ByteBuffer>empty();
            }
        });
    }

    @Override
    public Optional<Set<String>> names() throws IOException {
        return patience.ask(this::askNames);
    }

    private Optional<Set<String>> askNames() throws IOException {
        KeeperRequest question = new KeeperRequest.Plain(FrameType.KEEPER_NAMES);
        try {
            return Optional.of(asked(route -> route.await(question, KeeperAnswer.Files.class)).entries().stream()
                    .map(entry -> entry.name().value())
                    .collect(Collectors.toSet()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public String path(String file) {
        return this + "/" + file;
    }

    /** One process keeps one folder, whatever the names of its host. One that can't be asked is nobody else. */
    @Override
    public boolean isSameAs(KeeperHome other) throws IOException {
        if (!(other instanceof RemoteHome remote)) {
            return false;
        }
        return place.equals(remote.place) || remote.process().equals(process());
    }

    private UUID process() {
        try {
            return patience.ask(() -> asked(KeeperRoute::process));
        } catch (IOException e) {
            return UUID.randomUUID();
        }
    }

    @Override
    public HeldHome hold() throws IOException {
        return patience.ask(PatientStorage.LONG, () -> {
            RemoteFolder folder = new RemoteFolder(this::connect, holder);
            try {
                folder.route();
                return new Held(folder, patience);
            } catch (IOException | RuntimeException e) {
                folder.close();
                throw e;
            }
        });
    }

    @Override
    public String toString() {
        return "keep://" + place;
    }

    private record Held(RemoteFolder folder, Patience patience, PatientStorage storage) implements HeldHome {

        Held(RemoteFolder folder, Patience patience) {
            this(folder, patience, new PatientStorage(new RemoteStorage(folder), patience));
        }

        @Override
        public SignOfLife signOfLife() {
            return patience.signOfLife();
        }

        @Override
        public boolean has(String file) {
            try {
                KeeperRequest question = new KeeperRequest.OfFile(FrameType.KEEPER_HAS, RemoteFolder.name(file));
                return patience.ask(
                        () -> folder.ask(question, KeeperAnswer.Count.class).value() == 1);
            } catch (IOException e) {
                return false;
            }
        }

        /** The keeper's process has closed them. */
        @Override
        public void endWriting(String below, Predicate<String> mayBeOpen) {}

        @Override
        public boolean writesAs(int epoch) {
            folder.writesAs(epoch);
            return true;
        }

        private void change(KeeperChange change) throws IOException {
            patience.ask(() -> folder.ask(change, KeeperAnswer.Done.class));
        }

        @Override
        public void makeFolder(String name) throws IOException {
            change(folder.change(FrameType.KEEPER_MAKE_FOLDER, name, 0));
        }

        @Override
        public void rename(String file, String name) throws IOException {
            change(new KeeperChange.Rename(folder.epoch(), RemoteFolder.name(file), RemoteFolder.name(name)));
        }

        @Override
        public void setModified(String file, Instant modified) throws IOException {
            change(folder.change(FrameType.KEEPER_SET_MODIFIED, file, Math.max(0, modified.toEpochMilli())));
        }

        @Override
        public void close() throws IOException {
            storage.close();
        }
    }
}
