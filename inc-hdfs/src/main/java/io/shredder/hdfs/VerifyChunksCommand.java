// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.HdfsManifests;
import java.io.IOException;
import java.util.LinkedList;
import java.util.Locale;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.FsCommand;
import org.apache.hadoop.fs.shell.PathData;

/** {@code -verifyChunks}: reads files again and proves that they are what their manifests say. */
@SuppressWarnings("NonApiType") // LinkedList is FsShell's choice
public final class VerifyChunksCommand extends FsCommand {

    /** Read by FsShell, by name, as are the next two. */
    public static final String NAME = "verifyChunks";

    /** The synopsis. */
    public static final String USAGE = "<path> ...";

    /** The help text. */
    public static final String DESCRIPTION =
            "Prove that files are what -copyFromLocalGPU wrote: that the manifest is undamaged and"
                    + " belongs to this very file, that HDFS blocks lie as it says, and, by reading the whole file, that every chunk"
                    + " has its digest. Prints a line for each file; fails if one has no manifest, or is not what it says.";

    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    protected void processOptions(LinkedList<String> args) {
        new CommandFormat(1, Integer.MAX_VALUE).parse(args);
    }

    @Override
    protected void processPath(PathData item) throws IOException {
        long startNanos = System.nanoTime();
        Manifest manifest = HdfsManifests.require(item);
        ChunkProof.prove(item, manifest);
        double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
        out.printf(
                Locale.ROOT,
                "%s: %,d bytes, %,d chunks, %,d segments, all as the manifest says, %.2f s, %.1f MB/s%n",
                item,
                manifest.length(),
                manifest.chunks().size(),
                manifest.segmentLengths().size(),
                seconds,
                manifest.length() / BYTES_PER_MEGABYTE / seconds);
    }
}
