// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import io.shredder.hdfs.IncFsShell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs dfs} in this JVM, so that neither a JVM's start nor its warming up is measured. One command at a time:
 * what it prints goes through {@link System#out}.
 */
public record HdfsShell(Configuration conf) {

    /** Runs a command, and returns what it printed; fails unless its exit code is 0. */
    public String run(String... words) throws IOException {
        PrintStream out = System.out;
        var printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            var shell = new IncFsShell();
            shell.setConf(new Configuration(conf));
            exitCode = ToolRunner.run(shell, words);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // as ToolRunner declares
            throw new IOException(e);
        } finally {
            System.setOut(out);
        }
        if (exitCode != 0) {
            throw new IOException("hdfs dfs " + String.join(" ", words) + " ended with exit code " + exitCode);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
