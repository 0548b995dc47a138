// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.Originals;
import io.shredder.incoop.config.OwnClasses;
import io.shredder.incoop.task.map.IncrementalInputFormat;
import io.shredder.incoop.task.map.IncrementalMapRunner;
import io.shredder.incoop.task.map.IncrementalMapper;
import io.shredder.incoop.task.map.IncrementalOldInputFormat;
import java.io.IOException;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.apache.hadoop.mapred.lib.IdentityMapper;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
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
        assertThat(OwnClasses.mapper(conf)).isEqualTo(Mapper.class);
    }

    @Test
    void aConfigurationThatIsSubmittedAgainKeepsItsOwnMapper() throws Exception {
        Configuration conf = created(job -> {});
        conf.set("mapreduce.framework.name", "inc-local");

        new IncoopProtocolProvider().create(conf);

        assertThat(OwnClasses.mapper(conf)).isEqualTo(Mapper.class);
    }

    @Test
    void aJobThatIsRestoredIsWhatItWas() throws Exception {
        Configuration conf = created(job -> {});

        Originals.restore(conf);

        assertThat(conf.get("mapreduce.job.map.class")).isNull();
        assertThat(conf.get("mapreduce.job.inputformat.class")).isNull();
        assertThat(conf.get("incoop.job.map.class")).isNull();
    }

    @Test
    void mapOutputIsCompressedForTheMemosSakeUntilTheJobIsRestored() throws Exception {
        Configuration conf = created(job -> {});

        assertThat(conf.get("mapreduce.map.output.compress")).isEqualTo("true");
        assertThat(conf.get("mapreduce.map.output.compress.codec")).isEqualTo(SnappyCodec.class.getName());

        Originals.restore(conf);
        assertThat(conf.get("mapreduce.map.output.compress")).isEqualTo("false");
        assertThat(conf.get("mapreduce.map.output.compress.codec")).isEqualTo(DefaultCodec.class.getName());
    }

    @Test
    void aCodecOfTheJobsOwnStays() throws Exception {
        Configuration conf = created(job -> job.getConfiguration().setBoolean("mapreduce.map.output.compress", true));

        assertThat(conf.get("mapreduce.map.output.compress.codec")).isEqualTo(DefaultCodec.class.getName());

        Originals.restore(conf);
        assertThat(conf.get("mapreduce.map.output.compress")).isEqualTo("true");
    }

    @Test
    void withoutACodecMapOutputStaysAsItIs() throws Exception {
        Configuration conf = created(job -> job.getConfiguration().set(IncoopKeys.MEMO_CODEC, ""));

        assertThat(conf.get("mapreduce.map.output.compress")).isEqualTo("false");
    }

    @Test
    void aCodecThatIsNoneIsRefusedWithWhatToGive() {
        for (String bad : new String[] {"no.such.Codec", "java.lang.String"}) {
            assertThatThrownBy(() -> created(job -> job.getConfiguration().set(IncoopKeys.MEMO_CODEC, bad)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("incoop.memo.codec is '" + bad + "'");
        }
    }

    @Test
    void whatCannotBeReusedSafelyStaysAsItIs() throws Exception {
        Configuration conf = created(job -> {
            job.setNumReduceTasks(0);
            job.setOutputFormatClass(NullOutputFormat.class);
        });

        assertThat(conf.get("mapreduce.framework.name")).isEqualTo("local");
        assertThat(conf.get("mapreduce.job.map.class")).isNull();
        assertThat(conf.get("incoop.job.map.class")).isNull();
    }

    @Test
    void aJobOfTheOldApiKeepsItsMapperAndGetsAnotherRunner() throws Exception {
        Configuration conf = created(job -> job.getConfiguration().setBoolean("mapred.mapper.new-api", false));

        assertThat(conf.get("mapred.map.runner.class")).isEqualTo(IncrementalMapRunner.class.getName());
        assertThat(conf.get("mapred.input.format.class")).isEqualTo(IncrementalOldInputFormat.class.getName());
        assertThat(conf.get("mapreduce.job.map.class")).isNull();
        assertThat(OwnClasses.mapper(conf)).isEqualTo(IdentityMapper.class);

        Originals.restore(conf);
        assertThat(conf.get("mapred.map.runner.class")).isNull();
        assertThat(conf.get("mapred.input.format.class")).isNull();
    }

    @Test
    void aConfigurationThatIsNoJobStaysAsItIs() throws IOException {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", "inc-local");

        assertThat(new IncoopProtocolProvider().create(conf)).isNotNull();

        assertThat(conf.get("mapreduce.job.map.class")).isNull();
        assertThat(conf.get("mapreduce.framework.name")).isEqualTo("inc-local");
    }

    @Test
    void aSizeThatIsNoneIsRefusedWithWhatToGive() {
        Configuration conf = new Configuration();
        for (String bad : new String[] {"0", "-5", "much"}) {
            conf.set(IncoopKeys.MAP_TASK_BYTES, bad);
            assertThatThrownBy(() -> IncoopKeys.mapTaskBytes(conf))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + bad + "'")
                    .hasMessageContaining("a number from 1");
        }
    }

    @Test
    void defaultsAreThoseOfTheDescribedFile() throws IOException {
        assertThat(IncoopKeys.mapTaskBytes(new Configuration())).isEqualTo(128L << 20);
        assertThat(IncoopKeys.memoDir(new Configuration()).getName()).isEqualTo(".incoop");
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
