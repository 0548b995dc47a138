// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.hdfs.scan.ScanTool;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;

/** {@code hadoop shredder COMMAND}: what is done with files that are in HDFS already. */
public final class HadoopShredder {

    private static final int WRONG_USAGE = 2;

    private HadoopShredder() {}

    /** Runs a command and exits with its code. */
    public static void main(String[] words) throws Exception {
        if (words.length > 0 && words[0].equals("scan")) {
            String[] arguments = Arrays.copyOfRange(words, 1, words.length);
            System.exit(ToolRunner.run(new Configuration(), new ScanTool(System.out, System.err), arguments));
        }
        System.err.println("usage: hadoop shredder scan ARGS...    (try: hadoop shredder scan --help)");
        System.exit(WRONG_USAGE);
    }
}
