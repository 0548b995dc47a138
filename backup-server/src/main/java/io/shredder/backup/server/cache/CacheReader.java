// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.seal.CacheCipher;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.AEADBadTagException;

/** Reads a cache file a page at a time, each proved by its seal. One thread at a time. */
public final class CacheReader implements Closeable {

    private final Path file;
    private final FileChannel channel;
    private final CacheCipher cipher;
    private final CacheEnd end;

    private int nextPage;
    private int sealedBytes;
    private long position = CacheFormat.HEAD_BYTES;
    private long imageBytesSoFar;

    private CacheReader(Path file, FileChannel channel, RepositoryKey key, SnapshotName name) throws IOException {
        this.file = file;
        this.channel = channel;
        this.cipher = new CacheCipher(key, readHead(key.id()), name);
        this.end = readEnd();
    }

    /**
     * Opens a file.
     *
     * @throws DamagedDataException naming file and offset, if it is not such a file of this key and series
     */
    static CacheReader open(Path file, RepositoryKey key, SnapshotName name) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new CacheReader(file, channel, key, name);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private SnapshotSeal readHead(KeyId key) throws IOException {
        BodyReader in = new BodyReader(ByteBuffer.wrap(bytesAt(0, CacheFormat.HEAD_BYTES)), file.toString(), 0);
        if (in.i64("magic") != CacheFormat.MAGIC) {
            throw damaged(0, "this is not a cache of a snapshot");
        }
        int version = in.u16("version");
        if (version != CacheFormat.VERSION) {
            throw damaged(8, "version " + version + " is not known here");
        }
        in.zeros(6, "reserved");
        SnapshotSeal seal = SnapshotSeal.read(in);
        if (!seal.key().equals(key)) {
            throw damaged(16, "it is sealed with key " + seal.key() + ", not with key " + key);
        }
        return seal;
    }

    private CacheEnd readEnd() throws IOException {
        long at = channel.size() - CacheFormat.END_BYTES;
        if (at < CacheFormat.HEAD_BYTES) {
            throw damaged(channel.size(), "the file ends early");
        }
        try {
            return CacheEnd.read(cipher.openEnd(bytesAt(at, CacheFormat.END_BYTES)), file.toString(), at);
        } catch (AEADBadTagException e) {
            throw damaged(at, "the seal of its end is broken");
        }
    }

    CacheEnd end() {
        return end;
    }

    /** Length of the image that the snapshot is of. */
    public long imageBytes() {
        return end.imageBytes();
    }

    /**
     * The next runs of chunks, in the order of the image; empty after the last.
     *
     * @throws IOException naming file and offset, if they are damaged; what came before is good
     */
    public List<CachedRun> nextPage() throws IOException {
        long endAt = channel.size() - CacheFormat.END_BYTES;
        if (nextPage == end.pages()) {
            if (imageBytesSoFar != end.imageBytes() || position != endAt) {
                throw damaged(
                        position,
                        "its chunks have " + imageBytesSoFar + " bytes, the image " + end.imageBytes()
                                + ", and its end begins at " + endAt);
            }
            return List.of();
        }
        List<CachedRun> page = decode(page(endAt));
        nextPage++;
        position += CacheFormat.PAGE_HEAD_BYTES + sealedBytes;
        return page;
    }

    /** The next page's plain bytes; leaves its length in {@link #sealedBytes}. */
    private byte[] page(long endAt) throws IOException {
        sealedBytes =
                ByteBuffer.wrap(bytesAt(position, CacheFormat.PAGE_HEAD_BYTES)).getInt();
        long left = endAt - position - CacheFormat.PAGE_HEAD_BYTES;
        if (sealedBytes < CacheCipher.OVERHEAD_BYTES
                || sealedBytes > Math.min(left, CacheFormat.MAX_PAGE_BYTES + CacheCipher.OVERHEAD_BYTES)) {
            throw damaged(position, "page " + nextPage + " can't have " + sealedBytes + " bytes");
        }
        try {
            return cipher.openPage(nextPage, bytesAt(position + CacheFormat.PAGE_HEAD_BYTES, sealedBytes));
        } catch (AEADBadTagException e) {
            throw damaged(position, "the seal of page " + nextPage + " is broken");
        }
    }

    private List<CachedRun> decode(byte[] plain) throws DamagedDataException {
        BodyReader in = new BodyReader(ByteBuffer.wrap(plain), file.toString(), position);
        List<CachedRun> page = new ArrayList<>();
        while (in.remaining() > 0) {
            CachedRun run = RunCodec.read(in);
            imageBytesSoFar += run.bytes();
            page.add(run);
        }
        return page;
    }

    private byte[] bytesAt(long at, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException(file + ": the file ends early, at " + (at + bytes.position()));
            }
        }
        return bytes.array();
    }

    private DamagedDataException damaged(long offset, String problem) {
        return new DamagedDataException(file.toString(), offset, problem);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
