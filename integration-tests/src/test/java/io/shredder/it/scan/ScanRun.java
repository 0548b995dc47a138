// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scan;

import io.shredder.hdfs.scan.ScanTool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/** A scan that has ended. */
record ScanRun(int exitCode, String out, String err) {

    /** What jobs of seconds have: no second compiler in tasks, and containers that start ten times a second. */
    static final Map<String, String> SHORT_JOBS = Map.of(
            "mapred.child.java.opts", "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1",
            "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100",
            "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "100",
            "yarn.nodemanager.process-kill-wait.ms", "500");

    static ScanRun of(Configuration conf, String... words) throws Exception {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var tool = new ScanTool(
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        int exitCode = ToolRunner.run(new Configuration(conf), tool, words);
        return new ScanRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
