// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import io.shredder.chunk.DigestAlgorithm;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes a listing, front to back. For one thread; holds the paths of all files. */
final class ListingWriter {

    private final OutputStream target;
    private final MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();
    private final DataOutputStream out;
    /** By path. */
    private final SortedMap<byte[], Long> places = new TreeMap<>(Arrays::compareUnsigned);

    private long length = ListingFormat.HEADER_BYTES;

    /** @param target stays the caller's to close */
    ListingWriter(OutputStream target) throws IOException {
        this.target = target;
        this.out = new DataOutputStream(new BufferedOutputStream(new DigestOutputStream(target, sha256)));
        out.write(ListingFormat.MAGIC);
        out.writeShort(ListingFormat.VERSION);
        out.write(new byte[ListingFormat.HEADER_BYTES - ListingFormat.MAGIC.length - Short.BYTES]);
    }

    /** Adds a file, as {@link ListedFile#write} has written it, in any order. */
    void add(ByteBuffer entry) throws IOException {
        byte[] path = new byte[Short.toUnsignedInt(entry.getShort(entry.position()))];
        entry.get(entry.position() + Short.BYTES, path);
        places.put(path, length);
        out.write(entry.array(), entry.arrayOffset() + entry.position(), entry.remaining());
        length += entry.remaining();
    }

    /** How many files there are. */
    long files() {
        return places.size();
    }

    /** Ends the listing; returns its length in bytes. */
    long finish() throws IOException {
        for (long place : places.values()) {
            out.writeLong(place);
        }
        out.writeLong(places.size());
        out.writeLong(length);
        out.flush();
        target.write(sha256.digest());
        target.flush();
        return length + (long) ListingFormat.PLACE_BYTES * places.size() + ListingFormat.TRAILER_BYTES;
    }
}
