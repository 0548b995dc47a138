// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.shell.CommandFactory;
import org.apache.hadoop.fs.shell.FsCommand;
import org.apache.hadoop.util.ToolRunner;

/** Hadoop's file system shell, with every command that it has, and this project's. */
public final class IncFsShell extends FsShell {

    /** FsShell registers the stock commands for its own class only. */
    @Override
    protected void registerCommands(CommandFactory factory) {
        factory.registerCommands(FsCommand.class);
        factory.addClass(CopyFromLocalGpu.class, "-" + CopyFromLocalGpu.NAME);
        factory.addClass(CopyFilesCommand.class, "-" + CopyFilesCommand.NAME);
        factory.addClass(MoveCommand.class, "-" + MoveCommand.NAME);
        factory.addClass(SweepManifestsCommand.class, "-" + SweepManifestsCommand.NAME);
        factory.addClass(ChunksCommand.class, "-" + ChunksCommand.NAME);
        factory.addClass(ChunkDiffCommand.class, "-" + ChunkDiffCommand.NAME);
        factory.addClass(VerifyChunksCommand.class, "-" + VerifyChunksCommand.NAME);
    }

    /**
     * Runs one command and exits with its code.
     *
     * @param args as of {@code hdfs dfs}
     */
    public static void main(String[] args) throws Exception {
        IncFsShell shell = new IncFsShell();
        shell.setConf(new Configuration());
        int exitCode;
        try {
            exitCode = ToolRunner.run(shell, args);
        } finally {
            shell.close();
        }
        System.exit(exitCode);
    }
}
