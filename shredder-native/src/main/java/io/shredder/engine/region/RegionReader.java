// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.region;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.DirectBuffers;
import io.shredder.engine.NativeHandle;
import io.shredder.engine.NativeLibrary;
import io.shredder.engine.ShredderException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads regions of a backup's containers on this machine, or takes those that came from an agent, opens their seals,
 * expands them and proves their chunks: {@code docs/formats/container.md}, section 3, {@code wire.md}, section 4, and
 * {@code seal.md}. One native call does it all while a core's cache has the bytes. One thread at a time; holds native
 * memory until closed.
 */
public final class RegionReader implements AutoCloseable {

    /** Length of each key. */
    public static final int KEY_BYTES = 32;

    /** Length of a region's fields, before the stored bytes. */
    public static final int FIELDS_BYTES = 72;

    private final NativeHandle handle;

    /**
     * Where a region's record is.
     *
     * @param container file that it is in
     * @param bytes of the whole record
     */
    public record Place(Path container, long offset, int bytes) {}

    /**
     * A region that is in memory.
     *
     * @param fields {@value #FIELDS_BYTES} bytes from the position on
     * @param stored bytes from the position to the limit, in an array
     */
    public record Region(ByteBuffer fields, ByteBuffer stored) {

        /** Refuses fields of another length and stored bytes that are not in an array. */
        public Region {
            if (fields.remaining() != FIELDS_BYTES) {
                throw new IllegalArgumentException(
                        "fields of a region have " + FIELDS_BYTES + " bytes, not " + fields.remaining());
            }
            if (!stored.hasArray()) {
                throw new IllegalArgumentException("stored bytes that are not in an array");
            }
        }
    }

    /**
     * Reads what was sealed under these keys, which are copied.
     *
     * @param identityKey of identities by {@code digest}
     * @throws BackendUnavailableException if the native library is not there, or was built without this
     */
    public RegionReader(byte[] sealingKey, byte[] identityKey, DigestAlgorithm digest) throws ShredderException {
        if (sealingKey.length != KEY_BYTES || identityKey.length != KEY_BYTES) {
            throw new IllegalArgumentException("keys of regions have " + KEY_BYTES + " bytes, not " + sealingKey.length
                    + " and " + identityKey.length);
        }
        NativeLibrary.require();
        handle = new NativeHandle("reader of regions", RegionJni.open(sealingKey, identityKey, digest.code()));
    }

    /**
     * Writes the plain bytes of chunks back to back. Every byte is proved by its region's seal and its chunk's
     * identity.
     *
     * @param places of regions that have all the chunks between them, and may have others
     * @param identities of the chunks that are wanted, each once
     * @param lengths of those chunks in bytes
     * @param target direct; the first chunk is written at its position, which does not change
     * @throws ShredderException naming file and offset, if a record is not there, is damaged or forged; also if a chunk
     *     is in none of the regions or not what its identity says; what the target holds is undefined then
     */
    public void read(List<Place> places, List<Fingerprint> identities, int[] lengths, ByteBuffer target)
            throws ShredderException {
        byte[] names = names(identities, lengths, target);
        ByteArrayOutputStream paths = new ByteArrayOutputStream();
        long[] numbers = numbers(places, paths);
        long reader = handle.enter();
        try {
            RegionJni.read(reader, paths.toByteArray(), numbers, names, lengths, target, target.position());
        } finally {
            handle.leave();
        }
    }

    /**
     * The same of regions in memory. Each is copied just before it is opened.
     *
     * @throws ShredderException naming a region by its number from 0 on
     */
    public void open(List<Region> regions, List<Fingerprint> identities, int[] lengths, ByteBuffer target)
            throws ShredderException {
        byte[] names = names(identities, lengths, target);
        ByteBuffer fields = ByteBuffer.allocate(FIELDS_BYTES * regions.size());
        byte[][] arrays = new byte[regions.size()][];
        int[] ranges = new int[2 * arrays.length];
        for (int i = 0; i < arrays.length; i++) {
            Region region = regions.get(i);
            fields.put(region.fields().duplicate());
            arrays[i] = region.stored().array();
            ranges[2 * i] = region.stored().arrayOffset() + region.stored().position();
            ranges[2 * i + 1] = region.stored().remaining();
        }
        long reader = handle.enter();
        try {
            RegionJni.openRegions(reader, fields.array(), arrays, ranges, names, lengths, target, target.position());
        } finally {
            handle.leave();
        }
    }

    /** The identities back to back. Refuses chunks that the target has no room for. */
    private static byte[] names(List<Fingerprint> identities, int[] lengths, ByteBuffer target) {
        DirectBuffers.requireWithin(target, lengths);
        if (identities.size() != lengths.length) {
            throw new IllegalArgumentException(identities.size() + " chunks with " + lengths.length + " lengths");
        }
        ByteBuffer names = ByteBuffer.allocate(identities.size() * Fingerprint.BYTES);
        identities.forEach(identity -> identity.write(names));
        return names.array();
    }

    /** Three a place, as the native side takes them; each path once where places of one container come together. */
    private static long[] numbers(List<Place> places, ByteArrayOutputStream paths) {
        long[] numbers = new long[3 * places.size()];
        int next = 0;
        int pathAt = 0;
        @Nullable Path last = null;
        for (Place place : places) {
            if (!place.container().equals(last)) {
                last = place.container();
                pathAt = paths.size();
                paths.writeBytes(last.toString().getBytes(StandardCharsets.UTF_8));
                paths.write(0);
            }
            numbers[next++] = pathAt;
            numbers[next++] = place.offset();
            numbers[next++] = place.bytes();
        }
        return numbers;
    }

    @Override
    public void close() {
        if (handle.beginClose()) {
            RegionJni.close(handle.awaitLastLeave());
        }
    }
}
