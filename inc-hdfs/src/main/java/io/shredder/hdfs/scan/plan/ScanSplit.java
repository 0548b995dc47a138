// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/** What one map task reads: parts of files that lie together. Hadoop makes an empty one and has it read itself. */
public final class ScanSplit extends InputSplit implements Writable {

    /**
     * A part of a file.
     *
     * @param start its first byte
     * @param end the byte behind its last one
     */
    public record Part(ScannedFile file, long start, long end) {

        public long length() {
            return end - start;
        }
    }

    private List<Part> parts = List.of();
    private String[] hosts = {};

    /** For Hadoop. */
    public ScanSplit() {}

    public ScanSplit(List<Part> parts, String... hosts) {
        this.parts = List.copyOf(parts);
        this.hosts = hosts.clone();
    }

    public List<Part> parts() {
        return parts;
    }

    @Override
    public long getLength() {
        return parts.stream().mapToLong(Part::length).sum();
    }

    @Override
    public String[] getLocations() {
        return hosts.clone();
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeInt(parts.size());
        for (Part part : parts) {
            part.file().write(out);
            out.writeLong(part.start());
            out.writeLong(part.end());
        }
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        List<Part> read = new ArrayList<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            ScannedFile file = ScannedFile.read(in);
            long start = in.readLong();
            read.add(new Part(file, start, in.readLong()));
        }
        parts = List.copyOf(read);
    }
}
