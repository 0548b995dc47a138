// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static io.shredder.incoop.identity.Identities.differences;
import static io.shredder.incoop.identity.Identities.identity;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which options of a job count: all that could be its own, whatever they are called. */
class JobOptionsIdentityTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "net.acme.stopwords",
                "hadoop.acme.case",
                "fs.acme.depth",
                "file.acme.suffix",
                "security.acme.salt",
                "yarn.acme.rate",
                "s3.acme.bucket",
                "ha.acme.mode",
                "dfs.acme.mode",
                "ipc.acme.mode",
                "adl.acme.mode",
                "mapreduce.job.cache.acme",
                "mapreduce.job.acl-acme",
                "mapreduce.client.acme",
                "mapreduce.cluster.acme",
                "mapreduce.shuffle.acme",
                "mapreduce.workflow.name",
                "mapreduce.reduce.acme",
                "mapreduce.output.fileoutputformat.acme",
                "incoop.acme.mode"
            })
    void aKeyThatNoDefaultFileNamesCountsUnderAnyPrefix(String key) throws Exception {
        assertThat(differences(job -> job.getConfiguration().set(key, "own")))
                .singleElement()
                .asString()
                .isEqualTo("conf." + key + " (unset -> own)");
    }

    /** A key of Hadoop's may be read by a map, too: only those that can't change what it computes are left out. */
    @ParameterizedTest
    @CsvSource({
        "mapreduce.job.tags, holiday",
        "hadoop.util.hash.type, jenkins",
        "hadoop.security.credential.provider.path, user:///",
        "yarn.application.classpath, /opt/acme/*",
        "yarn.app.mapreduce.am.env, CASE=lower",
        "io.compression.codecs, org.apache.hadoop.io.compress.BZip2Codec",
        "mapreduce.map.env, CASE=lower",
        "mapreduce.map.env.CASE, lower",
        "mapred.child.env, CASE=lower",
        "mapreduce.admin.user.env, CASE=lower",
        "mapreduce.admin.map.child.java.opts, -Dcase=lower",
        "mapreduce.map.java.opts, -Xbootclasspath/a:acme.jar"
    })
    void whatReachesAMapCounts(String key, String value) throws Exception {
        assertThat(differences(job -> job.getConfiguration().set(key, value)))
                .singleElement()
                .asString()
                .startsWith("conf." + key + " (");
    }

    @ParameterizedTest
    @CsvSource({
        "dfs.replication, 2",
        "dfs.blocksize, 1m",
        "fs.defaultFS, hdfs://elsewhere",
        "hadoop.tmp.dir, /elsewhere",
        "io.seqfile.local.dir, /elsewhere",
        "yarn.resourcemanager.address, elsewhere:1",
        "ipc.client.connect.max.retries, 3",
        "mapreduce.map.memory.mb, 4096",
        "mapreduce.map.java.opts, -Xmx3g -Xss2m -XX:+UseSerialGC",
        "yarn.app.mapreduce.am.command-opts, -Xmx3g",
        "mapreduce.map.maxattempts, 9",
        "mapreduce.task.timeout, 1",
        "mapreduce.job.running.map.limit, 3",
        "mapreduce.reduce.shuffle.parallelcopies, 50",
        "mapreduce.reduce.java.opts, -Dside=reduce",
        "mapreduce.job.queuename, night",
        "mapreduce.job.end-notification.url, http://elsewhere",
        "incoop.map.task.bytes, 1m"
    })
    void placesMemoryRetriesAndParallelismDoNotCount(String key, String value) throws Exception {
        assertThat(differences(job -> job.getConfiguration().set(key, value))).isEmpty();
    }

    @Test
    void whatASubmissionSetsByItselfDoesNotCount() throws Exception {
        assertThat(differences(job -> {
                    for (String key : new String[] {
                        MRJobConfig.JOB_SUBMITHOST,
                        MRJobConfig.JOB_SUBMITHOSTADDR,
                        MRJobConfig.USER_NAME,
                        MRJobConfig.WORKING_DIR,
                        MRJobConfig.RESERVATION_ID,
                        MRJobConfig.CACHE_FILE_TIMESTAMPS,
                        MRJobConfig.CACHE_FILES_SIZES,
                        MRJobConfig.CACHE_FILE_VISIBILITIES,
                        "mapreduce.job.token.tracking.ids",
                        "hadoop.http.filter.initializers",
                        "mapreduce.client.genericoptionsparser.used"
                    }) {
                        job.getConfiguration().set(key, "1");
                    }
                }))
                .isEmpty();
    }

    @Test
    void anOptionUnderAnOldNameOfHadoopsCountsAsTheNewOne() throws Exception {
        assertThat(differences(job -> job.getConfiguration().set("mapred.map.child.env", "CASE=lower")))
                .containsExactly("conf.mapreduce.map.env (unset -> CASE=lower)");
        assertThat(identity(job -> job.getConfiguration().set("mapred.job.name", "other"))
                        .document())
                .isEqualTo(identity(job -> {}).document());
    }
}
