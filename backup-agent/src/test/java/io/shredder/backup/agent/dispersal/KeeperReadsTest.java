// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions that a keeper answers by itself take no thread, and no more than so many are under way. */
class KeeperReadsTest {

    private static final int MOST = 16;
    private static final Executor NO_THREADS = task -> {
        throw new AssertionError("a thread was wanted");
    };

    @TempDir
    private Path folder;

    private final List<CompletableFuture<String>> begun = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final List<Throwable> problems = new ArrayList<>();
    private Keeper keeper;
    private KeeperReads reads;

    @BeforeEach
    void open() throws IOException {
        RemovableFolders folders = RemovableFolders.make(folder, 1, 1);
        folders.open().close();
        KeeperHome home = folders.home(0);
        keeper = Keeper.open(home, 0, Keeper.identityOf(home).orElseThrow().dispersal());
        reads = new KeeperReads(keeper, NO_THREADS);
    }

    @AfterEach
    void close() throws IOException {
        keeper.close();
    }

    private final class Question implements KeeperReads.Question<String> {
        @Override
        public String ask(Keeper asked) {
            throw new AssertionError("it answers by itself");
        }

        @Override
        public Optional<CompletableFuture<String>> askBeside(Keeper asked) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            begun.add(answer);
            return Optional.of(answer);
        }
    }

    private Runnable ask() {
        return reads.ask(1, new Question(), (value, problem) -> {
            if (value != null) {
                values.add(value);
            }
            if (problem != null) {
                problems.add(problem);
            }
        });
    }

    @Test
    void eachAnswerBeginsOneQuestionThatWaits() {
        for (int i = 0; i < MOST + 2; i++) {
            ask();
        }
        Runnable last = ask();
        assertThat(begun).hasSize(MOST);
        begun.get(3).complete("three");
        assertThat(values).containsExactly("three");
        assertThat(begun).hasSize(MOST + 1);
        last.run();
        List.copyOf(begun).forEach(answer -> answer.complete("others"));
        begun.get(MOST + 1).complete("the last but one");
        assertThat(begun).as("what was taken back is not asked").hasSize(MOST + 2);
        assertThat(values).hasSize(MOST + 2);
    }

    @Test
    void problemsComeAsTheyWereMet() {
        ask();
        begun.get(0).completeExceptionally(new CompletionException(new EOFException("ends here")));
        assertThat(problems).singleElement().isInstanceOf(EOFException.class);
    }

    @Test
    void nothingIsBegunOnceItIsClosed() {
        reads.close();
        ask();
        assertThat(begun).isEmpty();
        assertThat(problems).singleElement().isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void whoeverWaitsToBeAskedHearsThatItWasClosed() {
        for (int i = 0; i < MOST + 2; i++) {
            ask();
        }
        reads.close();
        assertThat(problems).hasSize(2).allSatisfy(problem -> assertThat(problem)
                .isInstanceOf(ClosedChannelException.class));
    }

    @Test
    void whatIsRememberedOfAKeepersDamageIsBounded() {
        StoredVersion version = new StoredVersion("containers/1", 1, 1, StoredVersion.Kind.CODED);
        keeper.hush();
        for (int i = 0; i < 100_000; i++) {
            keeper.tell(version, i, "wrong");
        }
        assertThat(keeper.damagedPlaces()).isEqualTo(Keeper.MOST_PLACES);
    }
}
