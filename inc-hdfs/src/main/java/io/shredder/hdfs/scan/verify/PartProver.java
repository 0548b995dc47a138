// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.hdfs.scan.plan.ScanSplit.Part;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;

/** Proves parts of files against what is known of their chunks. For one thread. */
interface PartProver extends Closeable {

    /**
     * Reads the chunks that begin in a part.
     *
     * @param progress called now and then
     * @throws java.io.FileNotFoundException if the file is gone
     */
    PartProof prove(FileSystem fs, Part part, Runnable progress) throws IOException;
}
