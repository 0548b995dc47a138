// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;

/** Maps that ask for facts of files beside their input. Apart from the tests, whose statics change. */
final class FactMappers {

    static final Path SIDE = new Path("/side/facts");

    private FactMappers() {}

    /** Gives each line with what it has found out in its setup. */
    abstract static class Base extends OddMappers.Base {
        private String fact;

        abstract String find(String place, FileSystem hdfs) throws IOException;

        @Override
        protected void setup(Context context) throws IOException {
            fact = find(context.getConfiguration().get("side"), FileSystem.get(context.getConfiguration()));
        }

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            count(line + " " + fact, context);
        }
    }

    /** Looks for a flag by {@code Files}. */
    public static class Flag extends Base {
        @Override
        String find(String place, FileSystem hdfs) {
            java.nio.file.Path flag = java.nio.file.Path.of(place, "flag");
            return Files.isRegularFile(flag) + " " + Files.isDirectory(flag);
        }
    }

    /** Asks where a link leads. */
    public static class RealPlace extends Base {
        @Override
        String find(String place, FileSystem hdfs) throws IOException {
            return java.nio.file.Path.of(place, "link").toRealPath() + " "
                    + new File(place, "link/none").getCanonicalPath();
        }
    }

    /** Asks what a status tells of a file. */
    public static class Status extends Base {
        @Override
        String find(String place, FileSystem hdfs) throws IOException {
            FileStatus status = hdfs.getFileStatus(SIDE);
            return status.getReplication() + " "
                    + hdfs.getFileStatus(SIDE.getParent()).getPermission();
        }
    }

    /** Asks for an attribute of a file. */
    public static class Attribute extends Base {
        @Override
        String find(String place, FileSystem hdfs) throws IOException {
            return new String(hdfs.getXAttr(SIDE, "user.fact"), StandardCharsets.UTF_8);
        }
    }

    /** Asks how much there is below a folder. */
    public static class Summary extends Base {
        @Override
        String find(String place, FileSystem hdfs) throws IOException {
            return Long.toString(hdfs.getContentSummary(SIDE.getParent()).getFileCount());
        }
    }
}
