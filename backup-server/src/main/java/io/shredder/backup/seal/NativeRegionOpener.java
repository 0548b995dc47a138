// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ShredderException;
import io.shredder.engine.region.RegionReader;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Does what a {@link RegionOpener} does in one native call, with regions that lie on this machine reading included.
 * What it can't prove, for whatever reason, is to be opened by one of those, which finds out why. One thread at a time;
 * holds native memory until closed.
 */
public final class NativeRegionOpener implements AutoCloseable {

    private final RegionReader reader;

    /**
     * Opens what was sealed under this key.
     *
     * @param digest what the identities of the wanted chunks are made of
     * @throws ShredderException if the native library is not there, or has no reader of regions
     */
    public NativeRegionOpener(RepositoryKey key, DigestAlgorithm digest) throws ShredderException {
        reader = new RegionReader(RegionKeys.secret(key), ChunkIdentity.secret(key, digest), digest);
    }

    /**
     * Writes the plain bytes of chunks back to back, each proved by its region's seal and by its identity.
     *
     * @param wanted each chunk once; every one is in one of the regions
     * @param target direct, with room for the plain lengths of {@code wanted} from its position on, which does not
     *     change
     * @throws ShredderException if anything can't be proved; what {@code target} holds is undefined then
     */
    public void open(List<ChunkRef> wanted, List<StoredRegion> regions, ByteBuffer target) throws ShredderException {
        reader.open(
                regions.stream().map(NativeRegionOpener::bytesOf).toList(),
                identities(wanted),
                lengths(wanted),
                target);
    }

    private static RegionReader.Region bytesOf(StoredRegion region) {
        ByteBuffer fields = ByteBuffer.allocate(RegionReader.FIELDS_BYTES);
        region.writeFixed(fields);
        StoredRegion.Payload stored = region.stored();
        return new RegionReader.Region(fields.flip(), ByteBuffer.wrap(stored.array(), stored.from(), stored.length()));
    }

    /**
     * Writes the plain bytes of chunks back to back, each proved by its region's seal and by its identity.
     *
     * @param wanted each chunk once; every one is in a region of these places
     * @param target direct, with room for the plain lengths of {@code wanted} from its position on, which does not
     *     change
     * @throws ShredderException if a region can't be read there or anything can't be proved; what {@code target} holds
     *     is undefined then
     */
    public void openAt(List<ChunkRef> wanted, List<RegionPlace> places, ByteBuffer target) throws ShredderException {
        reader.read(
                places.stream()
                        .map(place -> new RegionReader.Place(place.container(), place.offset(), place.recordBytes()))
                        .toList(),
                identities(wanted),
                lengths(wanted),
                target);
    }

    private static List<Fingerprint> identities(List<ChunkRef> wanted) {
        return wanted.stream().map(ChunkRef::fingerprint).toList();
    }

    private static int[] lengths(List<ChunkRef> wanted) {
        return wanted.stream().mapToInt(ChunkRef::length).toArray();
    }

    @Override
    public void close() {
        reader.close();
    }
}
