// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/**
 * One run of the shell, as {@link IncFsShell#main} does it.
 *
 * @param exitCode what the process would have exited with
 */
record ShellRun(int exitCode, String out, String err) {

    static ShellRun of(Configuration conf, String... args) throws Exception {
        PrintStream systemOut = System.out;
        PrintStream systemErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            IncFsShell shell = new IncFsShell();
            shell.setConf(new Configuration(conf));
            int exitCode = ToolRunner.run(shell, args);
            return new ShellRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(systemOut);
            System.setErr(systemErr);
        }
    }

    List<String> outLines() {
        return out.lines().toList();
    }

    List<String> errLines() {
        return err.lines().toList();
    }
}
