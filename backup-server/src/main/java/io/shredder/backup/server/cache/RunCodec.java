// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.seal.Pointer;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.TagList;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A run of a cache's pages as bytes: {@code docs/formats/cache.md}, section 2. */
final class RunCodec {

    /** Length 4, count 4, identity 32, first piece 2, number of pointers 2. */
    private static final int FIXED_BYTES = 2 * Integer.BYTES + Fingerprint.BYTES + 2 * Short.BYTES;

    /** Identity 32, length of the chunk 4, from 4, length 4. */
    private static final int POINTER_BYTES = Fingerprint.BYTES + 3 * Integer.BYTES;

    private RunCodec() {}

    static int bytes(CachedRun run) {
        int pointers = run.chunk().isWhole() ? 0 : run.chunk().pointers().size();
        return FIXED_BYTES
                + pointers * POINTER_BYTES
                + run.chunk().pieces().tags().count() * TagList.TAG_BYTES;
    }

    static void write(CachedRun run, ByteBuffer target) {
        CachedChunk chunk = run.chunk();
        List<Pointer> pointers = chunk.isWhole() ? List.of() : chunk.pointers();
        target.putInt(chunk.length()).putInt(run.count());
        chunk.ref().fingerprint().write(target);
        target.putShort((short) chunk.pieces().first()).putShort((short) pointers.size());
        for (Pointer pointer : pointers) {
            pointer.fingerprint().write(target);
            target.putInt(pointer.chunk().length()).putInt(pointer.from()).putInt(pointer.length());
        }
        chunk.pieces().tags().write(target);
    }

    static CachedRun read(BodyReader in) throws DamagedDataException {
        int length = in.length("length of a chunk", RegionFormat.MAX_CHUNK_BYTES);
        int count = in.length("number of chunks", Integer.MAX_VALUE);
        Fingerprint identity = in.fingerprint("identity");
        int first = in.u16("length of the first piece");
        int pointerCount = in.u16("number of pointers");
        if (length == 0 || count == 0 || first < 1 || first > Pieces.BYTES) {
            throw in.damaged(count + " chunks of " + length + " bytes, the first piece of " + first);
        }
        ChunkRef ref = new ChunkRef(length, identity);
        List<Pointer> pointers = pointers(in, pointerCount);
        int tagBytes = Pieces.count(length, first) * TagList.TAG_BYTES;
        ByteBuffer tags = in.sealed("tags", tagBytes).view();
        Pieces pieces = new Pieces(first, TagList.read(tags, tagBytes / TagList.TAG_BYTES));
        if (pointers.isEmpty()) {
            return new CachedRun(CachedChunk.whole(ref, pieces), count);
        }
        if (Pointer.bytes(pointers) != length) {
            throw in.damaged(
                    "pointers to " + Pointer.bytes(pointers) + " bytes for a chunk of " + length + " before here");
        }
        return new CachedRun(new CachedChunk(ref, pointers, pieces), count);
    }

    private static List<Pointer> pointers(BodyReader in, int count) throws DamagedDataException {
        List<Pointer> pointers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Fingerprint identity = in.fingerprint("identity");
            int chunkBytes = in.length("length of a chunk", RegionFormat.MAX_CHUNK_BYTES);
            int from = in.length("begin of a part", RegionFormat.MAX_CHUNK_BYTES);
            int length = in.length("length of a part", RegionFormat.MAX_CHUNK_BYTES);
            if (length == 0 || from > chunkBytes - length) {
                throw in.damaged(length + " bytes from " + from + " of a chunk of " + chunkBytes + " before here");
            }
            pointers.add(new Pointer(new ChunkRef(chunkBytes, identity), from, length));
        }
        return pointers;
    }
}
