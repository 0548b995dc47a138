// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.RegionRecords;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Answers {@link Request.FetchMany}: reads the regions that chunks are in, each once, straight into the frame that
 * takes them to the client. One thread.
 */
public final class ManyFetches {

    private final ChunkStore chunks;
    private final ContainerReader reader;

    public ManyFetches(ChunkStore chunks, ContainerReader reader) {
        this.chunks = chunks;
        this.reader = reader;
    }

    /**
     * The regions of the chunks asked for, from the first on: up to one that has no room, or can't be had. What is
     * wrong with that says the answer of which it is the first.
     */
    public RegionRecords answer(Request.FetchMany request) throws IOException, RefusedException {
        return answer(request, chunks.index().findAll(request.fingerprints()));
    }

    /** The same, but never longer than asked for, and empty if the first of the chunks can't be had. */
    Optional<RegionRecords> answerWithin(Request.FetchMany request) throws IOException {
        List<Optional<ChunkLocation>> found = chunks.index().findAll(request.fingerprints());
        if (found.get(0)
                .filter(at -> ContainerReader.unprovedBytes(at) <= request.mostBytes())
                .isEmpty()) {
            return Optional.empty();
        }
        RegionRecords answer;
        try {
            answer = answer(request, found);
        } catch (RefusedException e) {
            return Optional.empty();
        }
        if (answer.recordBytes() > request.mostBytes()) {
            answer.release(); // Somebody has brought the first one again, in a longer region.
            return Optional.empty();
        }
        return Optional.of(answer);
    }

    private RegionRecords answer(Request.FetchMany request, List<Optional<ChunkLocation>> found)
            throws IOException, RefusedException {
        List<Fingerprint> asked = request.fingerprints();
        var answer = new RegionRecords(expectedBytes(found, request.mostBytes()));
        try {
            fill(answer, asked, found, request.mostBytes());
            return answer;
        } catch (IOException | RefusedException | RuntimeException e) {
            answer.release();
            throw e;
        }
    }

    private void fill(RegionRecords answer, List<Fingerprint> asked, List<Optional<ChunkLocation>> first, int mostBytes)
            throws IOException, RefusedException {
        List<Optional<ChunkLocation>> found = first;
        Set<ContainerPosition> read = new HashSet<>();
        int answered = 0;
        while (answered < asked.size()) {
            Optional<ChunkLocation> at = found.get(answered);
            if (at.isPresent() && read.contains(at.get().position())) {
                answered++;
            } else if (at.isPresent() && !hasRoom(at.get(), answer.recordBytes(), mostBytes)) {
                break;
            } else {
                Optional<ChunkLocation> now = read(asked.get(answered), at, answer);
                if (now.isEmpty()) {
                    break;
                } else if (now.equals(at)) {
                    read.add(now.get().position());
                } else {
                    found = chunks.index().findAll(asked);
                }
            }
        }
        answer.finish(answered, read.size());
    }

    /** How long the answer will be, if nothing is moved or damaged. */
    private static int expectedBytes(List<Optional<ChunkLocation>> found, int mostBytes) {
        Set<ContainerPosition> counted = new HashSet<>();
        int bytes = 0;
        for (Optional<ChunkLocation> at : found) {
            if (at.isPresent() && counted.contains(at.get().position())) {
                continue;
            }
            if (at.isEmpty() || !hasRoom(at.get(), bytes, mostBytes)) {
                break;
            }
            counted.add(at.get().position());
            bytes += ContainerReader.unprovedBytes(at.get());
        }
        return bytes;
    }

    private static boolean hasRoom(ChunkLocation at, int bytes, int mostBytes) {
        return bytes == 0 || bytes + ContainerReader.unprovedBytes(at) <= mostBytes;
    }

    /**
     * Reads a region; what can't be had is forgiven behind others.
     *
     * @return where it is: if elsewhere, it has not been read yet
     */
    private Optional<ChunkLocation> read(Fingerprint fingerprint, Optional<ChunkLocation> at, RegionRecords answer)
            throws IOException, RefusedException {
        boolean forgiving = answer.recordBytes() > 0;
        Optional<ChunkLocation> now;
        try {
            now = chunks.read(fingerprint, at, place -> {
                if (at.equals(Optional.of(place))) {
                    ByteBuffer room = answer.room(ContainerReader.unprovedBytes(place));
                    reader.readUnproved(fingerprint, place, room);
                    answer.add(ContainerReader.unprovedBytes(place));
                }
                return place;
            });
        } catch (DamagedDataException e) {
            if (forgiving) {
                return Optional.empty();
            }
            throw e;
        }
        if (now.isEmpty() && !forgiving) {
            throw notKept(fingerprint);
        }
        return now;
    }

    static RefusedException notKept(Fingerprint fingerprint) {
        return new RefusedException(ErrorCode.NOT_FOUND, "chunk " + fingerprint + " is not kept");
    }
}
