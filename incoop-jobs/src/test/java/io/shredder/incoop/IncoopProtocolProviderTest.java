// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.incoop.task.IncrementalInputFormat;
import io.shredder.incoop.task.IncrementalMapper;
import java.io.IOException;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.NLineInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.junit.jupiter.api.Test;

class IncoopProtocolProviderTest {

    private interface Change {
        void apply(Job job);
    }

    @Test
    void hadoopFindsIt() {
        assertThat(ServiceLoader.load(ClientProtocolProvider.class))
                .hasAtLeastOneElementOfType(IncoopProtocolProvider.class);
    }

    @Test
    void itAnswersToItsOwnNamesOnly() throws IOException {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", "local");

        assertThat(new IncoopProtocolProvider().create(conf)).isNull();
    }

    @Test
    void anOrdinaryJobBecomesIncrementalUnderTheRealFrameworksName() throws Exception {
        Configuration conf = created(job -> {});

        assertThat(conf.get("mapreduce.framework.name")).isEqualTo("local");
        assertThat(conf.get("mapreduce.job.map.class")).isEqualTo(IncrementalMapper.class.getName());
        assertThat(conf.get("mapreduce.job.inputformat.class")).isEqualTo(IncrementalInputFormat.class.getName());
        assertThat(IncrementalJob.mapperClass(conf)).isEqualTo(Mapper.class);
    }

    @Test
    void aConfigurationThatIsSubmittedAgainKeepsItsOwnMapper() throws Exception {
        Configuration conf = created(job -> {});
        conf.set("mapreduce.framework.name", "inc-local");

        new IncoopProtocolProvider().create(conf);

        assertThat(IncrementalJob.mapperClass(conf)).isEqualTo(Mapper.class);
    }

    @Test
    void uninstallPutsTheJobsOwnClassesBack() throws Exception {
        Configuration conf = created(job -> {});

        IncrementalJob.uninstall(conf);

        assertThat(conf.get("mapreduce.job.map.class")).isEqualTo(Mapper.class.getName());
        assertThat(conf.get("mapreduce.job.inputformat.class")).isEqualTo(TextInputFormat.class.getName());
        assertThat(conf.get("incoop.job.map.class")).isNull();
    }

    @Test
    void whatCannotBeReusedSafelyStaysAsItIs() throws Exception {
        assertStays(job -> job.setNumReduceTasks(0));
        assertStays(job -> job.getConfiguration().setBoolean("mapred.mapper.new-api", false));
        assertStays(job -> job.getConfiguration().setBoolean("mapreduce.job.encrypted-intermediate-data", true));
        assertStays(job -> job.setInputFormatClass(SequenceFileInputFormat.class));
        assertStays(job -> job.setInputFormatClass(CombineTextInputFormat.class));
        assertStays(job -> job.setInputFormatClass(NLineInputFormat.class));
        assertStays(job -> job.getConfiguration().setInt("mapreduce.input.linerecordreader.line.maxlength", 100));
        assertStays(job -> job.getConfiguration().set("mapreduce.job.map.output.collector.class", "some.Collector"));
        assertStays(job ->
                job.getConfiguration().set("mapreduce.job.reduce.shuffle.consumer.plugin.class", "some.Shuffle"));
    }

    @Test
    void aConfigurationThatIsNoJobStaysAsItIs() throws IOException {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", "inc-local");

        assertThat(new IncoopProtocolProvider().create(conf)).isNotNull();

        assertThat(conf.get("mapreduce.job.map.class")).isNull();
    }

    @Test
    void aSizeThatIsNoneIsRefusedWithWhatToGive() {
        Configuration conf = new Configuration();
        for (String bad : new String[] {"0", "-5", "much"}) {
            conf.set(IncoopKeys.MAP_TASK_BYTES, bad);
            assertThatThrownBy(() -> IncoopKeys.mapTaskBytes(conf))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + bad + "'")
                    .hasMessageContaining("such as 64m");
        }
    }

    @Test
    void defaultsAreThoseOfTheDescribedFile() throws IOException {
        assertThat(IncoopKeys.mapTaskBytes(new Configuration())).isEqualTo(64L << 20);
        assertThat(IncoopKeys.memoDir(new Configuration()).getName()).isEqualTo(".incoop");
    }

    private static void assertStays(Change change) throws Exception {
        Configuration conf = created(change);
        assertThat(conf.get("mapreduce.framework.name")).isEqualTo("local");
        assertThat(conf.get("mapreduce.job.map.class", "")).isNotEqualTo(IncrementalMapper.class.getName());
    }

    private static Configuration created(Change change) throws Exception {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", "inc-local");
        conf.setBoolean("mapred.mapper.new-api", true);
        Job job = Job.getInstance(conf);
        change.apply(job);
        new IncoopProtocolProvider().create(job.getConfiguration());
        return job.getConfiguration();
    }
}
