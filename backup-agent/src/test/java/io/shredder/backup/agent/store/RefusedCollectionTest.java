// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever looks at a page first, a collection that can't find all that lists need takes nothing. */
class RefusedCollectionTest {

    private static final int CONTAINER_BYTES = 5000;
    private static final int TABLE_ENTRIES = 1000;

    @TempDir
    private Path folder;

    private final List<StoredRegion> image = Samples.chunks(new Random(5), 20, 900);
    private RecordedFiles files;
    private Repository repository;
    private TestSession session;
    private long first;

    @BeforeEach
    void backUpOnce() throws IOException {
        files = new RecordedFiles(folder);
        open();
        session.backUp("vm", Samples.SHARED, Samples.chunks(new Random(6), 10, 900));
        first = session.backUp("vm", Samples.SHARED, image);
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        repository.close();
    }

    private void open() throws IOException {
        repository = Repository.open(root(), Clock.systemUTC(), CONTAINER_BYTES, TABLE_ENTRIES);
        session = TestSession.open(repository);
    }

    private Path root() {
        return files.root().resolve("repo");
    }

    private void shareAll(TestSession with) throws IOException {
        with.begin("vm", Samples.SHARED);
        for (int page = 0; page < image.size(); page++) {
            assertThat(with.share(first, page, image.get(page))).isTrue();
        }
    }

    /** A chunk leaves the index, which is known; and there is garbage that a collection would take. */
    private void lose(StoredRegion chunk) throws IOException {
        repository.chunks().index().remove(chunk.first().fingerprint());
        session.delete(first - 1);
        close();
        Files.write(folder.resolve("repo/index-gaps"), new byte[0]);
        open();
    }

    private List<Path> kept() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("repo"))) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().matches(".*/(containers|pages|snapshots)/.*|.*/index-gaps"))
                    .sorted()
                    .toList();
        }
    }

    private void assertRefused() throws IOException {
        List<Path> before = kept();
        assertThat(before).contains(folder.resolve("repo/index-gaps"));
        assertThatThrownBy(() -> session.collect(false))
                .hasMessageContaining("nothing is collected")
                .hasMessageContaining(image.get(3).first().fingerprint().toString());
        assertThat(kept()).isEqualTo(before);
    }

    @Test
    void aDraftThatSharesAPageWhoseChunkIsLost() throws IOException {
        lose(image.get(3));
        try (TestSession backup = TestSession.open(repository)) {
            shareAll(backup);
            assertRefused();
        }
        assertRefused();
    }

    @Test
    void aDraftThatBringsAPageWhoseChunkIsLost() throws IOException {
        session.delete(first);
        for (boolean shared : new boolean[] {false, true}) {
            try (TestSession backup = TestSession.open(repository)) {
                backup.begin("vm", shared ? Samples.SHARED : Samples.SEAL);
                backup.putIfNew(image.get(3));
                backup.append(image.get(3));
                repository.chunks().index().remove(image.get(3).first().fingerprint());
                assertThatThrownBy(() -> session.collect(false))
                        .hasMessageContaining("nothing is collected: a backup under way needs chunk "
                                + image.get(3).first().fingerprint());
            }
        }
    }

    /** The page is another's, too, which nobody has pruned. */
    @Test
    void aPrunedSnapshotThatIsStillReadAndHasAPageWhoseChunkIsLost() throws IOException {
        shareAll(session);
        session.commit();
        lose(image.get(3));
        try (TestSession reader = TestSession.open(repository)) {
            assertThat(reader.ask(new Request.Show(first, 0))).isInstanceOf(Answer.Page.class);
            session.delete(first);
            assertRefused();
        }
    }

    /** That is how an operator gives up what is lost. */
    @Test
    void aPrunedSnapshotThatIsReadKeepsWhatItHasAndPreventsNothing() throws IOException {
        lose(image.get(3));
        try (TestSession reader = TestSession.open(repository)) {
            assertThat(reader.ask(new Request.Show(first, 0))).isInstanceOf(Answer.Page.class);
            session.delete(first);
            assertThat(session.collect(false).deletedContainers()).isPositive();
            assertThat(reader.isThere(image.get(4))).isTrue();
            assertThat(reader.references(first)).hasSize(image.size());
        }
    }

    /** It must not be taken for a draft that has ended. */
    @Test
    void aPageThatAClosedChannelKeepsADraftsMarkingFrom() throws IOException {
        try (TestSession backup = TestSession.open(repository)) {
            shareAll(backup);
            assertFails();
        }
        assertNothingIsLost();
    }

    /** Nor for a reader that has let go. */
    @Test
    void aPageThatAClosedChannelKeepsAReadersMarkingFrom() throws IOException {
        shareAll(session);
        long second = session.commit();
        try (TestSession reader = TestSession.open(repository);
                TestSession other = TestSession.open(repository)) {
            assertThat(reader.ask(new Request.Show(first, 0))).isInstanceOf(Answer.Page.class);
            assertThat(other.ask(new Request.Show(second, 0))).isInstanceOf(Answer.Page.class);
            session.delete(first, second);
            assertFails();
            session.collect(false);
            reader.assertRestores(first, image);
            other.assertRestores(second, image);
        }
    }

    private void assertFails() {
        files.failOpening(root().resolve("pages"), new ClosedChannelException());
        assertThatThrownBy(() -> session.collect(false)).isInstanceOf(ClosedChannelException.class);
    }

    private void assertNothingIsLost() throws IOException {
        session.collect(false);
        session.assertRestores(first, image);
        assertThat(session.problems()).isEmpty();
    }
}
