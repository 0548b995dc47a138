// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;

/** Input formats as people derive them from Hadoop's. */
public final class SubclassFormats {

    private static final String DELIMITER = "textinputformat.record.delimiter";

    private SubclassFormats() {}

    /** Has a name of its own, and a constant. */
    public static class Named extends TextInputFormat {
        static final String CONSTANT = "constant";

        static void addInput(JobContext job) {
            job.getConfiguration().set("an.option", CONSTANT);
        }
    }

    /** Sets its delimiter as it opens its reader. */
    public static class ByHashes extends Named {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            context.getConfiguration().set(DELIMITER, "#;");
            return super.createRecordReader(split, context);
        }
    }

    /** Sets another one first, which its superclass then changes. */
    public static class BySemicolonsInVain extends ByHashes {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            context.getConfiguration().set(DELIMITER, ";");
            return super.createRecordReader(split, context);
        }
    }

    /** The same of the old API. */
    public static class OldByHashes extends org.apache.hadoop.mapred.TextInputFormat {
        @Override
        public org.apache.hadoop.mapred.RecordReader<LongWritable, Text> getRecordReader(
                org.apache.hadoop.mapred.InputSplit split, JobConf job, Reporter reporter) throws java.io.IOException {
            job.set(DELIMITER, "#;");
            return super.getRecordReader(split, job, reporter);
        }
    }

    /** Sets an option that others look at. */
    public static class SetsAnything extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            context.getConfiguration().set("mapreduce.job.reduces", "3");
            return super.createRecordReader(split, context);
        }
    }

    /** Sets its delimiter for some splits. */
    public static class SetsSometimes extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            if (split.toString().endsWith("a")) {
                context.getConfiguration().set(DELIMITER, "#;");
            }
            return super.createRecordReader(split, context);
        }
    }

    /** Sets a delimiter that follows from another option. */
    public static class SetsVariable extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            context.getConfiguration().set(DELIMITER, "${the.delimiter}");
            return super.createRecordReader(split, context);
        }
    }

    /** Reads no split twice. */
    public static class ReadsItsConfiguration extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            context.getConfiguration().set(DELIMITER, context.getConfiguration().get("the.delimiter"));
            return super.createRecordReader(split, context);
        }
    }

    /** Catches what its superclass throws. */
    public static class Catches extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            try {
                return super.createRecordReader(split, context);
            } catch (RuntimeException e) {
                return super.createRecordReader(split, context);
            }
        }
    }

    /** Wants each file in one mapper. */
    public static class WholeFiles extends TextInputFormat {
        @Override
        protected boolean isSplitable(JobContext context, Path file) {
            return false;
        }
    }

    /** Extends that. */
    public static class WholeFilesToo extends WholeFiles {}

    /** Does something as it is made. */
    public static class Constructed extends TextInputFormat {
        public Constructed() {
            Thread.currentThread().setName("constructed");
        }
    }

    /** Does something as its class is loaded. */
    public static class Initialised extends TextInputFormat {
        static final Configuration DEFAULTS = new Configuration();
    }

    /** Is given the job's configuration. */
    public static class Configured extends TextInputFormat implements Configurable {
        @Override
        public void setConf(Configuration conf) {
            conf.set(DELIMITER, ";");
        }

        @Override
        public Configuration getConf() {
            return new Configuration();
        }
    }
}
