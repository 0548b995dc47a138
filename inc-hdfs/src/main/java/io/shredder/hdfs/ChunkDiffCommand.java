// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.HdfsManifests;
import java.io.IOException;
import java.util.LinkedList;
import java.util.Locale;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.FsCommand;
import org.apache.hadoop.fs.shell.PathData;

/** {@code -chunkDiff}: compares two files, or two versions of one, by their manifests. */
@SuppressWarnings("NonApiType") // LinkedList is FsShell's choice
public final class ChunkDiffCommand extends FsCommand {

    /** Read by FsShell, by name, as are the next two. */
    public static final String NAME = "chunkDiff";

    /** The synopsis. */
    public static final String USAGE = "<earlier> <later>";

    /** The help text. */
    public static final String DESCRIPTION =
            "Tell how much of the file <later> is in the file <earlier> already, by content:"
                    + " two lines, chunks and blocks, each with the number shared, the number in all, the bytes shared, the bytes in"
                    + " all and the share of bytes in percent, separated by tabs. Reads manifests only. Fails if a file has no"
                    + " manifest, or one that does not describe it any more.";

    @Override
    protected void processOptions(LinkedList<String> args) {
        new CommandFormat(2, 2).parse(args);
    }

    @Override
    protected void processArguments(LinkedList<PathData> args) throws IOException {
        if (args.size() != 2) {
            if (numErrors == 0) {
                throw new PathIOException(args.toString(), "a pattern must match one file");
            }
            return;
        }
        Manifest earlier = HdfsManifests.require(args.get(0));
        Manifest later = HdfsManifests.require(args.get(1));
        requireSameDigest(earlier, later, args);
        SharedContent shared = SharedContent.of(earlier, later);
        print("chunks", shared.chunks());
        print("blocks", shared.segments());
    }

    /** Digests of two kinds never match, whatever the content. */
    private static void requireSameDigest(Manifest earlier, Manifest later, LinkedList<PathData> args)
            throws PathIOException {
        DigestAlgorithm first = earlier.params().digest();
        DigestAlgorithm second = later.params().digest();
        if (first != second) {
            throw new PathIOException(
                    args.get(1).toString(),
                    "its chunks have " + second + " digests, those of " + args.get(0) + " have " + first
                            + ": upload it again with -digest " + first.optionName());
        }
    }

    private void print(String what, SharedContent.Counts counts) {
        out.printf(
                Locale.ROOT,
                "%s\t%d\t%d\t%d\t%d\t%.2f%n",
                what,
                counts.shared(),
                counts.total(),
                counts.sharedBytes(),
                counts.totalBytes(),
                counts.sharedPercent());
    }
}
