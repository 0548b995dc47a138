// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.jspecify.annotations.Nullable;

/** A job with a command line: options, then the input and the output folder. For one thread. */
abstract class JobTool extends Configured implements Tool {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    private final String name;
    private final String purpose;
    private final List<Arguments.Option> options;
    private @Nullable Job lastJob;

    JobTool(String name, String purpose, List<Arguments.Option> options) {
        this.name = name;
        this.purpose = purpose;
        this.options = options;
    }

    /** The word that runs it. */
    final String name() {
        return name;
    }

    @Override
    public final int run(String[] args) throws Exception {
        if (List.of(args).contains("--help")) {
            System.out.println(usage());
            return DONE;
        }
        try {
            return run(Arguments.parse(List.of(args), options));
        } catch (IllegalArgumentException e) {
            System.err.println(name + ": " + e.getMessage() + "\n" + usage());
            return WRONG_USAGE;
        } catch (IOException e) {
            System.err.println(name + ": " + e.getMessage());
            return FAILED;
        }
    }

    /**
     * Runs the job to its end.
     *
     * @return the exit code
     * @throws IllegalArgumentException if an option's value can't be used
     * @throws IOException if the job can't be submitted or its files can't be read
     */
    abstract int run(Arguments arguments) throws IOException, InterruptedException, ClassNotFoundException;

    /** A job of this name over the input and output that are given, with the class that brings its jar. */
    final Job job(Arguments arguments, Path output) throws IOException {
        Job job = Job.getInstance(configuration(), name);
        job.setJarByClass(getClass());
        FileInputFormat.addInputPath(job, new Path(arguments.input()));
        FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    final Configuration configuration() {
        Configuration conf = getConf();
        return conf == null ? new Configuration() : conf;
    }

    /** Runs a job and prints its counters. */
    final boolean succeeds(Job job) throws IOException, InterruptedException, ClassNotFoundException {
        lastJob = job;
        return job.waitForCompletion(true);
    }

    /** The job that was submitted last. */
    final Optional<Job> lastJob() {
        return Optional.ofNullable(lastJob);
    }

    private String usage() {
        StringBuilder text = new StringBuilder("usage: " + name
                + " [-D property=value ...] [OPTIONS] INPUT OUTPUT\n" + purpose
                + "\nINPUT is a file or a folder, OUTPUT a folder that does not exist yet; -D"
                + " mapreduce.job.reduces=N sets the number of part files.");
        for (Arguments.Option option : options) {
            text.append(String.format("%n  --%s %s  %s", option.name(), option.value(), option.meaning()));
        }
        return text.toString();
    }
}
