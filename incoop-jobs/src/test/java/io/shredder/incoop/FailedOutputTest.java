// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.lib.db.DBOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailedOutputTest {

    @TempDir
    Path folder;

    private Path output;
    private final JobConf job = new JobConf();

    @BeforeEach
    void configure() {
        output = folder.resolve("out");
        job.set(FileOutputFormat.OUTDIR, output.toUri().toString());
        job.setBoolean("mapred.reducer.new-api", true);
    }

    private static void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "x");
    }

    @Test
    void filesOfHadoopsOwnAreTakenBack() throws IOException {
        FailedOutput failed = FailedOutput.of(job);
        write(output.resolve("_temporary/0/task/any"));
        write(output.resolve("part-r-00000"));
        write(output.resolve(".part-r-00000.shredder-manifest"));
        write(output.resolve(".part-r-00000.crc"));
        write(output.resolve("by/day/more-r-00001.gz"));

        assertThat(failed.objection(true)).isEmpty();
        failed.takeBack();
        assertThat(output).doesNotExist();
    }

    @Test
    void aFileOfAnothersStays() throws IOException {
        FailedOutput failed = FailedOutput.of(job);
        write(output.resolve("part-r-00000"));
        write(output.resolve("by/day/notes.txt"));

        assertThat(failed.objection(false).orElseThrow()).contains("notes.txt, which may be another's");
    }

    @Test
    void aFolderThatWasThereBeforeStays() throws IOException {
        write(output.resolve("part-r-00000"));
        FailedOutput failed = FailedOutput.of(job);

        assertThat(failed.objection(true)).contains("its output is no new folder of files");
        assertThat(failed.objection(false)).isEmpty();
        failed.takeBack();
        assertThat(output.resolve("part-r-00000")).exists();
    }

    @Test
    void whatIsPutOutOtherwiseCantBeTakenBack() throws IOException {
        for (Class<?> format : new Class<?>[] {DBOutputFormat.class, NullOutputFormat.class}) {
            job.setClass("mapreduce.job.outputformat.class", format, Object.class);
            assertThat(FailedOutput.of(job).objection(true)).contains("its output is put out by " + format.getName());
            assertThat(FailedOutput.of(job).objection(false)).isEmpty();
        }
        job.setClass("mapreduce.job.outputformat.class", TextOutputFormat.class, Object.class);
        assertThat(FailedOutput.of(job).objection(true)).isEmpty();
    }

    @Test
    void aCommitterOfTheOldApiIsKnownByItsName() throws IOException {
        job.setBoolean("mapred.reducer.new-api", false);
        assertThat(FailedOutput.of(job).objection(true)).isEmpty();
        job.set("mapred.output.committer.class", LoggedCommits.class.getName());

        assertThat(FailedOutput.of(job).objection(true).orElseThrow()).contains("LoggedCommits");
    }
}
