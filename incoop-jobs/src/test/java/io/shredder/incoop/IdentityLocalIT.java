// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same input, and a job that differs in one thing that its mapper sees: never the old answer. */
class IdentityLocalIT extends LocalJobs {

    private final TimeZone zone = TimeZone.getDefault();

    /** Gives, for each line, what it knows beside it. */
    public static final class SurroundingsMapper extends Mapper<LongWritable, Text, Text, IntWritable> {

        private static final IntWritable ONE = new IntWritable(1);
        private static final Text ALIAS = new Text("acme.salt");

        @Override
        protected void map(LongWritable key, Text value, Context context) throws IOException, InterruptedException {
            byte[] secret = context.getCredentials().getSecretKey(ALIAS);
            StringBuilder seen = new StringBuilder()
                    .append(context.getConfiguration().get("hadoop.acme.case"))
                    .append(' ')
                    .append(context.getConfiguration().get("mapreduce.job.tags"))
                    .append(' ')
                    .append(TimeZone.getDefault().getID())
                    .append(' ')
                    .append(System.getProperty("acme.case"))
                    .append(' ')
                    .append(secret == null ? "none" : new String(secret));
            URI[] files = context.getCacheFiles();
            for (URI file : files == null ? new URI[0] : files) {
                seen.append(' ').append(file.getFragment());
            }
            context.write(new Text(seen.toString()), ONE);
        }
    }

    @BeforeEach
    void upload() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(61), 400);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
    }

    @AfterEach
    void asBefore() {
        TimeZone.setDefault(zone);
        System.clearProperty("acme.case");
    }

    @Test
    void theSameJobAgainReusesAllThoughItsIdTimeAndFoldersAreOthers() throws Exception {
        surroundings(job -> {});

        assertThat(surroundings(job -> {}).chunks(IncoopCounter.CHUNKS_COMPUTED))
                .isZero();
    }

    @InTurn(days = 3)
    @Test
    void anOptionUnderAPrefixOfHadoopsIsSeen() throws Exception {
        seesTheSecond(job -> job.getConfiguration().set("hadoop.acme.case", "lower"), job -> job.getConfiguration()
                .set("hadoop.acme.case", "upper"));
        seesTheSecond(job -> job.getConfiguration().set("mapreduce.job.tags", "monday"), job -> job.getConfiguration()
                .set("mapreduce.job.tags", "tuesday"));
    }

    @Test
    void aSecretOfTheJobsIsSeen() throws Exception {
        seesTheSecond(
                job -> job.getCredentials().addSecretKey(SurroundingsMapper.ALIAS, "sesame".getBytes()),
                job -> job.getCredentials().addSecretKey(SurroundingsMapper.ALIAS, "barley".getBytes()));
    }

    @InTurn(days = 3)
    @Test
    void theOrderAndTheLinksOfCacheFilesAreSeen() throws Exception {
        URI one = side("one");
        URI two = side("two");
        seesTheSecond(cacheFiles(one + "#a", two + "#b"), cacheFiles(two + "#b", one + "#a"));
        seesTheSecond(cacheFiles(one + "#allow"), cacheFiles(one + "#deny"));
    }

    @InTurn(days = 3)
    @Test
    void theTimeZoneAndThePropertiesOfThisProcessAreSeen() throws Exception {
        seesTheSecond(
                job -> TimeZone.setDefault(TimeZone.getTimeZone("America/Lima")),
                job -> TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo")));
        seesTheSecond(job -> System.setProperty("acme.case", "lower"), job -> System.setProperty("acme.case", "upper"));
    }

    private void seesTheSecond(FinishedJob.Setup first, FinishedJob.Setup second) throws Exception {
        FinishedJob before = surroundings(first);
        FinishedJob after = surroundings(second);

        assertThat(after.output())
                .isNotEqualTo(before.output())
                .isEqualTo(run("local", job -> set(job, second)).output());
        assertThat(after.ranPlainly()).isFalse();
    }

    private FinishedJob surroundings(FinishedJob.Setup setup) throws Exception {
        return run("inc-local", job -> set(job, setup));
    }

    private static void set(Job job, FinishedJob.Setup setup) {
        job.setMapperClass(SurroundingsMapper.class);
        setup.apply(job);
    }

    private static FinishedJob.Setup cacheFiles(String... files) {
        return job -> {
            for (String file : files) {
                job.addCacheFile(URI.create(file));
            }
        };
    }

    private static URI side(String name) throws IOException {
        Path path = new Path("/side/" + name);
        try (FSDataOutputStream out = fs.create(path, true)) {
            out.writeUTF(name);
        }
        return fs.makeQualified(path).toUri();
    }
}
