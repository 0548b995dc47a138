// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/**
 * Several segments at once, each block a file of its own; the files become one by {@code concat}, which keeps short
 * blocks and moves no bytes. It is asked for as soon as {@value #CONCAT_FILES} neighbours are there, so that however
 * long the file is, little of a name quota is used. Replicated or erasure-coded; not in encryption zones, where the
 * NameNode refuses it.
 */
final class PieceFiles implements SegmentedFile {

    private static final int CONCAT_FILES = 64;

    private final UploadFolder folder;
    private final long preferredBytes;
    private final int writers;

    /** Written segments that wait for an earlier one, with their numbers of blocks. */
    private final Map<Integer, Integer> early = new TreeMap<>();

    /** Blocks that follow what {@link #whole()} has, in order. */
    private final List<Path> next = new ArrayList<>();

    private int segmentsInOrder;

    PieceFiles(UploadFolder folder, long preferredBytes, int writers) {
        this.folder = folder;
        this.preferredBytes = preferredBytes;
        this.writers = writers;
    }

    @Override
    public int writers() {
        return writers;
    }

    @Override
    public OutputStream open(int segment, int block) throws IOException {
        return folder.createBlocks(name(segment, block), preferredBytes);
    }

    @Override
    public synchronized void segmentWritten(int segment, int blocks) throws IOException {
        early.put(segment, blocks);
        for (Integer n = early.remove(segmentsInOrder); n != null; n = early.remove(segmentsInOrder)) {
            for (int i = 0; i < n; i++) {
                next.add(folder.path(name(segmentsInOrder, i)));
            }
            segmentsInOrder++;
        }
        if (next.size() > CONCAT_FILES) {
            concat();
        }
    }

    @Override
    public synchronized Path finish() throws IOException {
        if (segmentsInOrder == 0) {
            folder.createBlocks(name(0, 0), preferredBytes).close();
        }
        concat();
        return whole();
    }

    /** The first block's file grows into the whole one. */
    private Path whole() {
        return folder.path(name(0, 0));
    }

    private void concat() throws IOException {
        next.remove(whole());
        if (!next.isEmpty()) {
            folder.fileSystem().concat(whole(), next.toArray(new Path[0]));
            next.clear();
        }
    }

    private static String name(int segment, int block) {
        return "segment-" + segment + "-" + block;
    }
}
