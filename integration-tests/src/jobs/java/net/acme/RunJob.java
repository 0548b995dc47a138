// SPDX-License-Identifier: Apache-2.0
package net.acme;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Runs one of these jobs from a command line: its class, then its own words. */
public final class RunJob {
    private RunJob() {}

    /** The program. */
    public static void main(String[] words) throws Exception {
        Tool job = (Tool) Class.forName(words[0]).getConstructor().newInstance();
        System.exit(ToolRunner.run(new Configuration(), job, Arrays.copyOfRange(words, 1, words.length)));
    }
}
