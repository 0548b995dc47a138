// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.seal.CacheCipher;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the cache of a snapshot while it is made. It has its name once {@link #publish} returns; closed before that it
 * leaves nothing. No failure reaches the backup: a line in the log, and there is no cache. Not forced to the disk,
 * since a torn file is told by its seals. One thread at a time.
 */
public final class CacheWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CacheWriter.class);

    private final Path file;
    private final Path temporary;
    private final SnapshotSeal seal;
    private final CacheCipher cipher;
    private final ChunkingParams params;
    private ByteBuffer page = ByteBuffer.allocate(2 * CacheFormat.PAGE_BYTES);

    private Optional<FileChannel> channel = Optional.empty();
    private Optional<CachedRun> run = Optional.empty();
    private int pages;
    private long imageBytes;

    private CacheWriter(Path file, RepositoryKey key, SnapshotName name, ChunkingParams params) {
        this.file = file;
        this.temporary = file.resolveSibling("." + file.getFileName() + ".new-" + UUID.randomUUID());
        SecureRandom random = new SecureRandom();
        this.seal = new SnapshotSeal(key.id(), new UUID(random.nextLong(), random.nextLong()));
        this.cipher = new CacheCipher(key, seal, name);
        this.params = params;
    }

    /** Begins the cache that will replace {@code file}. */
    static CacheWriter begin(Path file, RepositoryKey key, SnapshotName name, ChunkingParams params) {
        CacheWriter writer = new CacheWriter(file, key, name, params);
        try {
            CacheFolder.createFor(file);
            CacheFolder.deleteLeftOvers(file);
            writer.channel = Optional.of(CacheFolder.hold(writer.temporary));
            writer.writeHead();
        } catch (IOException e) {
            writer.giveUp(e);
        }
        return writer;
    }

    private void writeHead() throws IOException {
        ByteBuffer head = ByteBuffer.allocate(CacheFormat.HEAD_BYTES);
        head.putLong(CacheFormat.MAGIC)
                .putShort((short) CacheFormat.VERSION)
                .putShort((short) 0)
                .putInt(0);
        seal.write(head);
        write(head.flip());
    }

    /** The image's next chunk. */
    public void add(CachedChunk chunk) {
        add(chunk, 1);
    }

    /** The image's next chunk, which comes so many times in a row. */
    public void add(CachedChunk chunk, int count) {
        CachedRun next = new CachedRun(chunk, count);
        imageBytes += next.bytes();
        if (run.isPresent() && run.get().goesOnWith(next)) {
            run = Optional.of(new CachedRun(chunk, run.get().count() + count));
        } else {
            endRun();
            run = Optional.of(next);
        }
    }

    private void endRun() {
        if (run.isEmpty()) {
            return;
        }
        int bytes = RunCodec.bytes(run.get());
        if (page.remaining() < bytes) {
            page = ByteBuffer.allocate(page.position() + bytes).put(page.flip());
        }
        RunCodec.write(run.get(), page);
        if (page.position() >= CacheFormat.PAGE_BYTES) {
            endPage();
        }
    }

    private void endPage() {
        byte[] plain = new byte[page.position()];
        page.flip().get(plain);
        page.clear();
        byte[] sealed = cipher.sealPage(pages++, plain);
        ByteBuffer head = ByteBuffer.allocate(CacheFormat.PAGE_HEAD_BYTES).putInt(0, sealed.length);
        try {
            write(head);
            write(ByteBuffer.wrap(sealed));
        } catch (IOException e) {
            giveUp(e);
        }
    }

    /** The image has ended and this is its snapshot: gives the cache its name, in place of an older one. */
    public void publish(SnapshotInfo snapshot) {
        endRun();
        if (page.position() > 0) {
            endPage();
        }
        try {
            CacheEnd end = new CacheEnd(snapshot.contentDigest(), imageBytes, pages, params);
            write(ByteBuffer.wrap(cipher.sealEnd(end.encode())));
            if (channel.isPresent()) {
                channel.get().close();
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                CacheFolder.release(temporary);
                channel = Optional.empty();
            }
        } catch (IOException e) {
            giveUp(e);
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (channel.isPresent() && bytes.hasRemaining()) {
            channel.get().write(bytes);
        }
    }

    private void giveUp(IOException e) {
        LOG.warn("{} can't be written, so the next backup will take longer: {}", file, e.toString());
        close();
    }

    /** Ends it unpublished, if it is not. */
    @Override
    public void close() {
        if (channel.isEmpty()) {
            return;
        }
        try {
            channel.get().close();
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            LOG.warn("{} is left over: {}", temporary, e.toString());
        }
        CacheFolder.release(temporary);
        channel = Optional.empty();
    }
}
