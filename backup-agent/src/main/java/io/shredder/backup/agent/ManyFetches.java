// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerReader;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.ErrorCode;
import io.shredder.backup.protocol.Request;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Answers {@link Request.FetchMany}: reads the regions that chunks are in, each once, into memory that is used again for the next answer. One
 * thread; whoever has an answer has written it before asking again.
 */
final class ManyFetches {

    private static final int FIRST_BYTES = 1 << 20;

    private final ChunkStore chunks;
    private final ContainerReader reader;
    private ByteBuffer memory = ByteBuffer.allocateDirect(0);

    ManyFetches(ChunkStore chunks, ContainerReader reader) {
        this.chunks = chunks;
        this.reader = reader;
    }

    /**
     * The regions of the chunks asked for, from the first on: up to one that has no room, or can't be had. What is wrong with that says the answer
     * of which it is the first.
     */
    Answer answer(Request.FetchMany request) throws IOException, RefusedException {
        List<Fingerprint> asked = request.fingerprints();
        List<Optional<ChunkLocation>> found = chunks.index().findAll(asked);
        memory.clear();
        Set<ContainerPosition> read = new HashSet<>();
        int answered = 0;
        while (answered < asked.size()) {
            Optional<ChunkLocation> at = found.get(answered);
            if (at.isPresent() && read.contains(at.get().position())) {
                answered++;
            } else if (at.isPresent() && !hasRoom(at.get(), request.mostBytes())) {
                break;
            } else {
                Optional<ChunkLocation> now = read(asked.get(answered), at, answered > 0);
                if (now.isEmpty()) {
                    break;
                } else if (now.equals(at)) {
                    read.add(now.get().position());
                } else {
                    found = chunks.index().findAll(asked);
                }
            }
        }
        return new Answer.RegionRecords(
                answered, read.size(), memory.duplicate().flip());
    }

    private boolean hasRoom(ChunkLocation at, int mostBytes) {
        return memory.position() == 0 || memory.position() + ContainerReader.unprovedBytes(at) <= mostBytes;
    }

    /**
     * Reads a region.
     *
     * @param forgiving whether nothing comes of one that can't be had
     * @return where it is: if elsewhere, it has not been read yet
     */
    private Optional<ChunkLocation> read(Fingerprint fingerprint, Optional<ChunkLocation> at, boolean forgiving)
            throws IOException, RefusedException {
        Optional<ChunkLocation> now;
        try {
            now = chunks.read(fingerprint, at, place -> {
                if (at.equals(Optional.of(place))) {
                    makeRoom(ContainerReader.unprovedBytes(place));
                    reader.readUnproved(fingerprint, place, memory);
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

    private void makeRoom(int bytes) {
        if (memory.remaining() < bytes) {
            int needed = memory.position() + bytes;
            ByteBuffer larger =
                    ByteBuffer.allocateDirect(Math.max(Math.max(FIRST_BYTES, needed), 2 * memory.capacity()));
            memory = larger.put(memory.flip());
        }
    }

    static RefusedException notKept(Fingerprint fingerprint) {
        return new RefusedException(ErrorCode.NOT_FOUND, "chunk " + fingerprint + " is not kept");
    }
}
