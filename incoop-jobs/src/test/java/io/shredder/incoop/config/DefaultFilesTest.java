// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;

class DefaultFilesTest {

    private static final String KEY = "mapreduce.job.map.output.collector.class";

    @Test
    void definesWhatNobodyHasSet() {
        Configuration conf = new JobConf();
        assertThat(conf.get(KEY)).isNotNull();
        assertThat(DefaultFiles.define(conf, KEY)).isTrue();
        assertThat(DefaultFiles.define(conf, "net.acme.key")).isFalse();

        conf.set(KEY, "net.acme.Collector");
        conf.set("net.acme.key", "net.acme.Class");
        assertThat(DefaultFiles.define(conf, KEY)).isFalse();
        assertThat(DefaultFiles.define(conf, "net.acme.key")).isFalse();
    }

    @Test
    void isTheSameInATask() throws IOException {
        Configuration client = new JobConf();
        client.set("net.acme.key", "net.acme.Class");
        var jobXml = new ByteArrayOutputStream();
        client.writeXml(jobXml);
        Configuration task = new Configuration(false);
        task.addResource(new ByteArrayInputStream(jobXml.toByteArray()), "job.xml");
        assertThat(DefaultFiles.define(task, KEY)).isTrue();
        assertThat(DefaultFiles.define(task, "net.acme.key")).isFalse();
    }
}
