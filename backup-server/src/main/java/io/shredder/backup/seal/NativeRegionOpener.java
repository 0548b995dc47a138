// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ShredderException;
import io.shredder.engine.region.RegionReader;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what a {@link JavaRegionOpener} does in one native call, with regions that lie on this machine reading included.
 * What it can't prove, for whatever reason, is opened by one of those, which finds out why.
 */
final class NativeRegionOpener implements RegionOpener {

    private static final Logger LOG = LoggerFactory.getLogger(NativeRegionOpener.class);

    private final RepositoryKey key;
    private final RegionReader reader;

    /** Made when something can't be proved. */
    private @Nullable JavaRegionOpener stepByStep;

    /**
     * Opens what was sealed under this key.
     *
     * @param digest what the identities of the wanted chunks are made of
     * @throws ShredderException if the native library is not there, or has no reader of regions
     */
    NativeRegionOpener(RepositoryKey key, DigestAlgorithm digest) throws ShredderException {
        this.key = key;
        reader = new RegionReader(RegionKeys.secret(key), ChunkIdentity.secret(key, digest), digest);
    }

    @Override
    public void open(List<ChunkRef> wanted, List<StoredRegion> regions, ByteBuffer target)
            throws BadChunkException, ShredderException {
        try {
            openAtOnce(wanted, regions, target);
        } catch (ShredderException e) {
            LOG.warn("checked again step by step: {}", e.getMessage());
            if (stepByStep == null) {
                stepByStep = new JavaRegionOpener(key);
            }
            stepByStep.open(wanted, regions, target);
        }
    }

    /**
     * The native call.
     *
     * @throws ShredderException if anything can't be proved; what {@code target} holds is undefined then
     */
    void openAtOnce(List<ChunkRef> wanted, List<StoredRegion> regions, ByteBuffer target) throws ShredderException {
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

    @Override
    public boolean readsPlaces() {
        return true;
    }

    @Override
    public boolean openAt(List<ChunkRef> wanted, List<RegionPlace> places, ByteBuffer target) {
        try {
            readAtOnce(wanted, places, target);
            return true;
        } catch (ShredderException e) {
            LOG.warn("checked again step by step: {}", e.getMessage());
            return false;
        }
    }

    /**
     * The native call.
     *
     * @throws ShredderException if a region can't be read there or anything can't be proved; what {@code target} holds
     *     is undefined then
     */
    void readAtOnce(List<ChunkRef> wanted, List<RegionPlace> places, ByteBuffer target) throws ShredderException {
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
        if (stepByStep != null) {
            stepByStep.close();
        }
    }
}
