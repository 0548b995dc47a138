// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.incoop.IncoopProtocolProvider;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.jspecify.annotations.Nullable;

/** Identities of jobs that differ in one thing from each other. */
final class Identities {

    interface Change {
        void apply(Job job) throws Exception;
    }

    private static @Nullable JobIdentity unchanged;

    private Identities() {}

    /** In what a job's identity differs from that of the same job without the change. */
    static List<String> differences(Change change) throws Exception {
        return identity(change).differencesFrom(unchanged().document());
    }

    private static JobIdentity unchanged() throws Exception {
        if (unchanged == null) {
            unchanged = identity(job -> {});
        }
        return unchanged;
    }

    /** In what a job with the second change differs from one with the first. */
    static List<String> differences(Change first, Change second) throws Exception {
        return identity(second).differencesFrom(identity(first).document());
    }

    static JobIdentity identity(Change change) throws Exception {
        return JobIdentity.of(submitted(IncoopProtocolProvider.INCREMENTAL_LOCAL, change));
    }

    /** What a submission sees: the provider has been asked, so the job's classes are ours and its own are put aside. */
    static Job submitted(String framework, Change change) throws Exception {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", framework);
        conf.setBoolean("mapred.mapper.new-api", true);
        Job job = Job.getInstance(conf);
        job.setMapperClass(TokenCounterMapper.class);
        FileInputFormat.addInputPath(job, new Path("/in"));
        change.apply(job);
        new IncoopProtocolProvider().create(job.getConfiguration());
        return job;
    }
}
