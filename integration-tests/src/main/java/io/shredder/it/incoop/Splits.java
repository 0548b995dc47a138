// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import java.io.IOException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Where the splits of a plain job lie. */
final class Splits {
    private Splits() {}

    /** In hundredths of a folder's bytes, what lies in the block that decides where its split's map is best run. */
    static double localPercent(FileSystem fs, String folder) throws IOException {
        Job job = Job.getInstance(fs.getConf());
        TextInputFormat.addInputPath(job, fs.makeQualified(new Path(folder)));
        long all = 0;
        long local = 0;
        for (InputSplit each : new TextInputFormat().getSplits(job)) {
            var split = (FileSplit) each;
            all += split.getLength();
            local += inDecidingBlock(fs, split);
        }
        return 100.0 * local / all;
    }

    /** A FileInputFormat names the hosts of the block in which the split begins. */
    private static long inDecidingBlock(FileSystem fs, FileSplit split) throws IOException {
        BlockLocation block =
                fs.getFileBlockLocations(fs.getFileStatus(split.getPath()), split.getStart(), split.getLength())[0];
        long blockEnd = block.getOffset() + block.getLength();
        return Math.min(split.getStart() + split.getLength(), blockEnd) - split.getStart();
    }
}
