// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Chunk;
import io.shredder.hdfs.manifest.HdfsManifests;
import java.io.IOException;
import java.util.LinkedList;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.fs.shell.FsCommand;
import org.apache.hadoop.fs.shell.PathData;

/** {@code -chunks}: lists the chunks of files that have a manifest. */
@SuppressWarnings("NonApiType") // LinkedList is FsShell's choice
public final class ChunksCommand extends FsCommand {

    /** Read by FsShell, by name, as are the next two. */
    public static final String NAME = "chunks";

    /** The synopsis. */
    public static final String USAGE = "<path> ...";

    /** The help text. */
    public static final String DESCRIPTION =
            "List the chunks of files that -copyFromLocalGPU wrote, a line each: offset,"
                    + " length, digest, and block-end or - for whether an HDFS block ends there, separated by tabs. Fails"
                    + " if a file has no manifest, or one that does not describe it any more.";

    @Override
    protected void processOptions(LinkedList<String> args) {
        new CommandFormat(1, Integer.MAX_VALUE).parse(args);
    }

    @Override
    protected void processPath(PathData item) throws IOException {
        for (Chunk chunk : HdfsManifests.require(item).chunks()) {
            out.println(chunk.offset() + "\t" + chunk.length() + "\t" + chunk.fingerprint() + "\t"
                    + (chunk.segmentEnd() ? "block-end" : "-"));
        }
    }
}
