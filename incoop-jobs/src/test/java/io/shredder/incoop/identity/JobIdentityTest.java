// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static io.shredder.incoop.identity.Identities.identity;
import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.IncoopProtocolProvider;
import io.shredder.incoop.identity.Identities.Change;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.util.TimeZone;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner;
import org.apache.hadoop.mapred.lib.LongSumReducer;
import org.apache.hadoop.mapred.lib.TokenCountMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobIdentityTest {

    @TempDir
    File folder;

    @Test
    void theSameJobHasTheSameIdentity() throws Exception {
        assertThat(identity(job -> {}).fingerprint())
                .isEqualTo(identity(job -> {}).fingerprint());
    }

    @Test
    void whereWhoAndHowMuchMemoryDoNotCount() throws Exception {
        JobIdentity other = identity(job -> {
            FileInputFormat.addInputPath(job, new Path("/elsewhere"));
            job.setJobName("another name");
            job.getConfiguration().set("mapreduce.map.memory.mb", "4096");
            job.getConfiguration().set("mapreduce.map.java.opts", "-Xmx3g");
            job.getConfiguration().set("mapreduce.job.user.name", "somebody");
            job.getConfiguration().set("fs.defaultFS", "hdfs://elsewhere");
            job.getConfiguration().set("incoop.map.task.bytes", "1m");
        });

        assertThat(other.differencesFrom(identity(job -> {}).document())).isEmpty();
    }

    @Test
    void aKeyOfTheJobsOwnCountsAndIsNamed() throws Exception {
        JobIdentity other = identity(job -> job.getConfiguration().set("my.threshold", "8"));

        assertThat(other.differencesFrom(identity(job -> {}).document()))
                .containsExactly("conf.my.threshold (unset -> 8)");
    }

    @Test
    void numberOfReducersMapperCombinerAndJvmPropertiesCount() throws Exception {
        String base = identity(job -> {}).document();

        assertThat(identity(job -> job.setNumReduceTasks(3)).differencesFrom(base))
                .hasSize(1);
        assertThat(identity(job -> job.setCombinerClass(IntSumReducer.class)).differencesFrom(base))
                .isNotEmpty();
        assertThat(identity(job -> job.setMapperClass(Mapper.class)).differencesFrom(base))
                .isNotEmpty();
        assertThat(identity(job -> job.getConfiguration().set("mapreduce.map.java.opts", "-Xmx1g -Dcase=lower"))
                        .differencesFrom(base))
                .hasSize(1);
    }

    @Test
    void aJobInThisProcessHasTheProcessInItsIdentity() throws Exception {
        TimeZone zone = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/Lima"));
            String base = identity(job -> {}).document();
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));

            assertThat(base).contains("jvm.class-path.hadoop-common-");
            assertThat(identity(job -> {}).differencesFrom(base))
                    .containsExactly("jvm.time-zone (America/Lima -> Asia/Tokyo)");
        } finally {
            TimeZone.setDefault(zone);
        }
    }

    @Test
    void aJobOnYarnRunsInOtherProcessesThanThisOne() throws Exception {
        Job job = Identities.submitted(IncoopProtocolProvider.INCREMENTAL_LOCAL, change -> {});
        job.getConfiguration().set("mapreduce.framework.name", "yarn");

        assertThat(JobIdentity.of(job).document()).doesNotContain("\njvm.");
    }

    @Test
    void theCodeOfAClassThatTheConfigurationNamesCounts() throws Exception {
        JobIdentity plugIn = identity(job -> job.getConfiguration().set("my.plug-in", JobIdentityTest.class.getName()));

        assertThat(plugIn.document())
                .contains("code.my.plug-in = " + JobIdentityTest.class.getName() + " from ")
                .doesNotContain("code.my.plug-in = " + JobIdentityTest.class.getName() + " from jdk");
        assertThat(identity(job -> job.getConfiguration().set("my.plug-in", "no.such.Class"))
                        .document())
                .doesNotContain("code.my.plug-in");
    }

    @Test
    void aDifferenceFarBehindInALongValueIsShown() throws Exception {
        String start = "x".repeat(500);
        String base = identity(job -> job.getConfiguration().set("my.long", start + "one"))
                .document();

        assertThat(identity(job -> job.getConfiguration().set("my.long", start + "two"))
                        .differencesFrom(base))
                .singleElement()
                .asString()
                .contains("xone")
                .contains("xtwo")
                .hasSizeLessThan(160);
    }

    @Test
    void aJobOfTheOldApiHasItsOwnMapperCombinerAndPartitionerInIt() throws Exception {
        JobConf job = new JobConf();
        job.set("mapreduce.framework.name", IncoopProtocolProvider.INCREMENTAL_LOCAL);
        job.setBoolean("mapred.mapper.new-api", false);
        job.setMapperClass(TokenCountMapper.class);
        job.setCombinerClass(LongSumReducer.class);
        job.setPartitionerClass(KeyFieldBasedPartitioner.class);
        job.setOutputKeyClass(Text.class);
        new IncoopProtocolProvider().create(job);

        assertThat(JobIdentity.of(new JobContextImpl(job, new JobID())).document())
                .contains("class.mapper = " + TokenCountMapper.class.getName() + " from ")
                .contains("class.combiner = " + LongSumReducer.class.getName() + " from ")
                .contains("class.partitioner = " + KeyFieldBasedPartitioner.class.getName() + " from ")
                .doesNotContain("IncrementalMapRunner");
    }

    @Test
    void theContentOfACacheFileCountsAndItsPlaceDoesNot() throws Exception {
        File first = file("a/words.txt", "one");
        File same = file("b/words.txt", "one");
        File changed = file("c/words.txt", "two");

        String base = identity(job -> job.addCacheFile(first.toURI())).document();

        assertThat(identity(job -> job.addCacheFile(same.toURI())).differencesFrom(base))
                .isEmpty();
        assertThat(identity(job -> job.addCacheFile(changed.toURI())).differencesFrom(base))
                .hasSize(1);
    }

    @Test
    void aJarWithoutAFileSystemLiesWhereTheJobsFolderIs() throws Exception {
        File jar = file("staging/job.jar", "classes");
        String base = identity(job -> job.getConfiguration()
                        .set("mapreduce.job.jar", jar.toURI().toString()))
                .document();

        assertThat(identity(job -> {
                            job.getConfiguration().set("fs.defaultFS", "hdfs://127.0.0.1:1");
                            job.getConfiguration()
                                    .set(
                                            "mapreduce.job.dir",
                                            jar.getParentFile().toURI().toString());
                            job.getConfiguration().set("mapreduce.job.jar", jar.getPath());
                        })
                        .differencesFrom(base))
                .isEmpty();
    }

    @Test
    void allLibraryJarsOfAFolderCount() throws Exception {
        file("libjars/a.jar", "one");
        URI all = URI.create(new File(folder, "libjars").toURI() + "*");
        String base = identity(job -> job.addCacheFile(all)).document();
        file("libjars/b.jar", "two");

        assertThat(identity(job -> job.addCacheFile(all)).differencesFrom(base))
                .singleElement()
                .asString()
                .startsWith("content.file.b.jar (unset -> ");
    }

    @Test
    void aLibraryJarThatIsUsedWhereItLiesCounts() throws Exception {
        File jar = file("lib/used.jar", "one");
        Change onClassPath = job -> job.getConfiguration().set("mapreduce.job.classpath.files", jar.getPath());
        String base = identity(onClassPath).document();
        file("lib/used.jar", "two");

        assertThat(identity(onClassPath).differencesFrom(base))
                .singleElement()
                .asString()
                .startsWith("content.file.used.jar ");
    }

    @Test
    void secretsStandInItAsDigests() throws Exception {
        JobIdentity identity = identity(job -> job.getConfiguration().set("my.db.password", "open sesame"));

        assertThat(identity.document())
                .contains("conf.my.db.password = secret ")
                .doesNotContain("sesame");
        assertThat(identity(job -> job.getConfiguration().set("my.db.password", "other"))
                        .differencesFrom(identity.document()))
                .hasSize(1);
    }

    private File file(String name, String content) throws Exception {
        File file = new File(folder, name);
        Files.createDirectories(file.getParentFile().toPath());
        Files.writeString(file.toPath(), content);
        return file;
    }
}
