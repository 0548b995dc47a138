// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.shredder.backup.posix.DirectMemory;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/** Opens regions step by step: the readable reference, which names what is wrong. */
final class JavaRegionOpener implements RegionOpener {

    private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
    private final AesGcm cipher = new AesGcm();
    private final RegionKeys keys;

    /** The last that proved chunks first: those of one snapshot have the same. */
    private final List<ChunkIdentity> identities = new ArrayList<>();

    private byte[] unsealed = new byte[0];
    private ByteBuffer beside = ByteBuffer.allocateDirect(0);

    /** Outside of the heap, as {@link RegionSealer} has it. */
    private ByteBuffer compressed = ByteBuffer.allocateDirect(0);

    /** Opens what was sealed under this key. */
    JavaRegionOpener(RepositoryKey key) {
        this.keys = new RegionKeys(key);
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            identities.add(0, new ChunkIdentity(key, algorithm));
        }
    }

    /** All are proved at the end, since digests side by side cost less. */
    @Override
    public void open(List<ChunkRef> wanted, List<StoredRegion> regions, ByteBuffer target)
            throws BadChunkException, ShredderException {
        Map<ChunkRef, Integer> places = new HashMap<>();
        int[] lengths = new int[wanted.size()];
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = wanted.get(i).length();
            places.put(wanted.get(i), at);
            at += lengths[i];
        }
        ByteBuffer plain = target.slice(target.position(), at);
        for (StoredRegion region : regions) {
            open(region, places, plain);
        }
        prove(wanted, lengths, plain);
    }

    /** An identity of either algorithm proves a chunk: who copies or repairs doesn't know its snapshot. */
    private void prove(List<ChunkRef> wanted, int[] lengths, ByteBuffer plain)
            throws BadChunkException, ShredderException {
        BitSet proved = new BitSet(lengths.length);
        for (ChunkIdentity each : List.copyOf(identities)) {
            List<Fingerprint> found = each.ofAll(plain, lengths);
            for (int i = 0; i < lengths.length; i++) {
                if (found.get(i).equals(wanted.get(i).fingerprint())) {
                    proved.set(i);
                }
            }
            if (proved.cardinality() == lengths.length) {
                identities.remove(each);
                identities.add(0, each);
                return;
            }
        }
        throw new BadChunkException(
                wanted.get(proved.nextClearBit(0)).fingerprint(), "its bytes have another identity");
    }

    /** Expands a region in place if its chunks are wanted as they lie in it, else beside, and copies them. */
    private void open(StoredRegion region, Map<ChunkRef, Integer> places, ByteBuffer plain) throws BadChunkException {
        int bytes = unseal(region);
        int regionBytes = (int) StoredRegion.plainBytes(region.chunks());
        Optional<Integer> place = placeOfAll(region.chunks(), places);
        if (place.isPresent()) {
            expand(region.first(), bytes, plain.slice(place.get(), regionBytes));
            return;
        }
        if (beside.capacity() < regionBytes) {
            beside = ByteBuffer.allocateDirect(regionBytes);
        }
        expand(region.first(), bytes, beside.slice(0, regionBytes));
        int from = 0;
        for (ChunkRef chunk : region.chunks()) {
            Integer to = places.get(chunk);
            if (to != null) {
                plain.put(to, beside, from, chunk.length());
            }
            from += chunk.length();
        }
    }

    /** Where the first chunk is wanted, if all the others are wanted right behind it. */
    private static Optional<Integer> placeOfAll(List<ChunkRef> chunks, Map<ChunkRef, Integer> places) {
        Integer first = places.get(chunks.get(0));
        if (first == null) {
            return Optional.empty();
        }
        int at = first;
        for (ChunkRef chunk : chunks) {
            Integer place = places.get(chunk);
            if (place == null || place != at) {
                return Optional.empty();
            }
            at += chunk.length();
        }
        return Optional.of(first);
    }

    /** Leaves the form and the bytes in it in {@link #unsealed}; returns their length. */
    private int unseal(StoredRegion region) throws BadChunkException {
        StoredRegion.Payload sealed = region.sealed();
        int from = sealed.from() + AesGcm.NONCE_BYTES;
        int sealedBytes = sealed.length() - AesGcm.NONCE_BYTES;
        int bytes = sealedBytes - AesGcm.TAG_BYTES;
        if (unsealed.length < bytes) {
            unsealed = new byte[bytes];
        }
        byte[] nonce = Arrays.copyOfRange(sealed.array(), sealed.from(), from);
        byte[] open = RegionKeys.openBytes(region.chunks());
        try {
            cipher.open(keys.keyOf(region.chunks(), open), nonce, open, sealed.array(), from, sealedBytes, unsealed);
            return bytes;
        } catch (AEADBadTagException e) {
            throw new BadChunkException(
                    region.first().fingerprint(),
                    "its seal is broken: it was damaged, forged or sealed with another key");
        }
    }

    /** @param first names the region in errors */
    private void expand(ChunkRef first, int bytes, ByteBuffer plain) throws BadChunkException {
        switch (unsealed[0]) {
            case RegionKeys.FORM_RAW -> raw(first, bytes, plain);
            case RegionKeys.FORM_ZSTD -> decompress(first, bytes, plain);
            default -> throw new BadChunkException(first.fingerprint(), "unknown form " + unsealed[0]);
        }
    }

    private void raw(ChunkRef first, int bytes, ByteBuffer plain) throws BadChunkException {
        if (bytes - 1 != plain.remaining()) {
            throw new BadChunkException(first.fingerprint(), "has " + (bytes - 1) + " bytes");
        }
        plain.put(unsealed, 1, bytes - 1);
    }

    private void decompress(ChunkRef first, int bytes, ByteBuffer plain) throws BadChunkException {
        int expected = plain.remaining();
        try {
            if (compressed.capacity() < bytes) {
                free();
                compressed = ByteBuffer.allocateDirect(bytes);
            }
            compressed.put(0, unsealed, 1, bytes - 1);
            int length = zstd.decompressDirectByteBuffer(plain, 0, expected, compressed, 0, bytes - 1);
            if (length != expected) {
                throw new BadChunkException(
                        first.fingerprint(), "decompresses to " + length + " bytes, not " + expected);
            }
        } catch (ZstdException e) {
            throw new BadChunkException(first.fingerprint(), "can't be decompressed: " + e.getMessage());
        }
    }

    @Override
    public boolean readsPlaces() {
        return false;
    }

    @Override
    public boolean openAt(List<ChunkRef> wanted, List<RegionPlace> places, ByteBuffer target) {
        return false;
    }

    private void free() {
        if (compressed.capacity() > 0) {
            DirectMemory.free(compressed);
            compressed = ByteBuffer.allocateDirect(0);
        }
    }

    @Override
    public void close() {
        zstd.close();
        free();
    }
}
