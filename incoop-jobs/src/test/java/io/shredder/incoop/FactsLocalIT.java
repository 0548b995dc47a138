// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Maps that ask for less common facts of files beside their input. */
class FactsLocalIT extends LocalJobs {

    private static final Path SIDE = FactMappers.SIDE;

    private java.nio.file.Path local;

    @BeforeEach
    void upload() throws IOException {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(81), 300)));
        fs.delete(SIDE.getParent(), true);
        fs.create(SIDE).close();
        local = Files.createTempDirectory(folder.toPath(), "facts");
    }

    private FinishedJob run(Class<? extends FactMappers.Base> mapper) throws Exception {
        return run("inc-local", with(mapper));
    }

    private FinishedJob.Setup with(Class<? extends FactMappers.Base> mapper) {
        return job -> {
            job.setMapperClass(mapper);
            job.getConfiguration().set("side", local.toString());
        };
    }

    private interface Change {
        void make() throws IOException;
    }

    /** The first run's results are used again until the change, and not behind it. */
    private void isSeen(Class<? extends FactMappers.Base> mapper, Change change) throws Exception {
        FinishedJob first = run(mapper);
        FinishedJob again = run(mapper);
        change.make();
        FinishedJob changed = run(mapper);

        assertThat(again.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(first.output());
        isRight(changed, first, mapper);
    }

    /** Nothing is used again. */
    private void isForItsRunOnly(Class<? extends FactMappers.Base> mapper, Change change) throws Exception {
        FinishedJob first = run(mapper);
        change.make();

        assertThat(first.ranPlainly()).isFalse();
        isRight(run(mapper), first, mapper);
    }

    private void isRight(FinishedJob changed, FinishedJob first, Class<? extends FactMappers.Base> mapper)
            throws Exception {
        assertThat(changed.output())
                .isNotEqualTo(first.output())
                .isEqualTo(run("local", with(mapper)).output());
    }

    @Test
    void aFlagThatIsLookedForIsADependency() throws Exception {
        isSeen(FactMappers.Flag.class, () -> Files.createFile(local.resolve("flag")));
    }

    @Test
    void whereALinkLeadsIsADependency() throws Exception {
        java.nio.file.Path link = local.resolve("link");
        Files.createSymbolicLink(link, Files.createDirectory(local.resolve("one")));
        isSeen(FactMappers.RealPlace.class, () -> {
            Files.delete(link);
            Files.createSymbolicLink(link, Files.createDirectory(local.resolve("two")));
        });
    }

    @Test
    void theReplicationOfAFileIsADependency() throws Exception {
        isSeen(FactMappers.Status.class, () -> fs.setReplication(SIDE, (short) 3));
    }

    @Test
    void theModeOfAFolderIsADependency() throws Exception {
        isSeen(FactMappers.Status.class, () -> fs.setPermission(SIDE.getParent(), new FsPermission((short) 0711)));
    }

    @Test
    void whatAStatusDoesNotTellIsGoodForItsRunOnly() throws Exception {
        fs.setXAttr(SIDE, "user.fact", "one".getBytes(StandardCharsets.UTF_8));
        isForItsRunOnly(
                FactMappers.Attribute.class,
                () -> fs.setXAttr(SIDE, "user.fact", "two".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatLiesDeepInAFolderIsGoodForItsRunOnly() throws Exception {
        Path deep = new Path(SIDE.getParent(), "deep/er");
        fs.mkdirs(deep);
        isForItsRunOnly(FactMappers.Summary.class, () -> fs.create(new Path(deep, "file"))
                .close());
    }
}
