// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs jobs in this process, on a real HDFS. */
@ExtendWith(SharedHdfs.class)
abstract class LocalJobs {

    /** On the local disk, for whatever Hadoop leaves there. */
    static File folder;

    static FileSystem fs;

    Path input;

    @BeforeEach
    void emptyFolders() throws IOException {
        fs.delete(new Path("/user"), true);
        fs.delete(new Path("/in"), true);
        input = new Path("/in/text");
    }

    FinishedJob wordCount(String framework) throws Exception {
        return run(framework, job -> {});
    }

    FinishedJob run(String framework, FinishedJob.Setup setup) throws Exception {
        return FinishedJob.wordCount(conf(framework), fs, input.getParent(), setup);
    }

    static Configuration conf(String framework) {
        Configuration conf = new Configuration(fs.getConf());
        conf.set("mapreduce.framework.name", framework);
        conf.set("hadoop.tmp.dir", new File(folder, "tmp").toString());
        return conf;
    }
}
