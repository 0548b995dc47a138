// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.monitoring.AgentFigures;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.storage.RequestCounts;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.StoredRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** A repository whose containers and snapshots are in an object store. */
@ExtendWith(OnS3Server.class)
class S3RepositoryIT {

    private static S3Server server;

    @TempDir
    private Path folder;

    private String bucket;

    @BeforeAll
    static void use(S3Server running) {
        server = running;
    }

    @BeforeEach
    void make() throws IOException {
        bucket = server.bucket();
    }

    private String store() {
        return "s3a://" + bucket + "/backup/";
    }

    private Repository open(String repo) throws IOException {
        return S3LifeMain.open(folder.resolve(repo), store(), server.endpoint());
    }

    @Test
    void everythingButTheIndexIsThereAndAnotherFolderTakesItFromThere() throws IOException {
        long first;
        long second;
        try (Repository repository = open("repo");
                TestSession session = TestSession.open(repository)) {
            first = session.backUp("vm", S3LifeMain.regions(0));
            second = session.backUp("vm", S3LifeMain.regions(1));
        }
        try (Repository repository = open("repo");
                TestSession session = TestSession.open(repository)) {
            session.assertRestores(first, S3LifeMain.regions(0));
        }
        assertThat(Files.readString(folder.resolve("repo/store"))).startsWith("s3://" + bucket + "/backup\n");
        assertThat(run("rebuild-index", "new")).isZero();
        assertThat(run("accept-catalogue", "new")).isZero();
        try (Repository repository = open("new");
                TestSession session = TestSession.open(repository)) {
            assertThat(repository.catalogue().ids()).containsExactly(first, second);
            session.assertRestores(first, S3LifeMain.regions(0));
            session.assertRestores(second, S3LifeMain.regions(1));
            assertThat(session.problems()).isEmpty();
            assertThatThrownBy(() -> open("repo")).hasMessageContaining("is in use by process");
        }
    }

    private int run(String word, String repo) {
        return AgentMain.run(
                word,
                "--repo",
                folder.resolve(repo).toString(),
                "--store",
                store(),
                "--store-endpoint",
                server.endpoint().toString());
    }

    @Test
    void aBackupIsOnePutAContainerAndFewBesides() throws IOException {
        try (Repository repository = open("repo");
                TestSession session = TestSession.open(repository)) {
            List<StoredRegion> regions = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                regions.addAll(S3LifeMain.regions(4 * i));
            }
            session.backUp("first", S3LifeMain.regions(400));
            RequestCounts before = counts(repository);
            int containers = containers(repository);
            session.backUp("vm", regions);
            int more = containers(repository) - containers;
            long puts = puts(counts(repository)) - puts(before);
            System.out.println(puts + " puts for " + more + " containers");
            assertThat(more).isGreaterThan(10);
            assertThat(puts).as("and the list").isLessThanOrEqualTo(more + 2);
        }
    }

    private static RequestCounts counts(Repository repository) {
        return repository.chunks().containers().storage().requests().orElseThrow();
    }

    private static long puts(RequestCounts counts) {
        return counts.requests().getOrDefault("PutObject", 0L);
    }

    private static int containers(Repository repository) throws IOException {
        return repository.chunks().containers().numbers().size();
    }

    @Test
    void theSmallContainersThatManyStartsLeaveAreJoinedByACollection() throws IOException {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            try (Repository repository = open("repo");
                    TestSession session = TestSession.open(repository)) {
                ids.add(session.backUp("vm", S3LifeMain.regions(8 * i).subList(0, 2)));
            }
        }
        try (Repository repository = open("repo");
                TestSession session = TestSession.open(repository)) {
            assertThat(containers(repository)).isEqualTo(6);
            session.collect(false);
            session.collect(false);
            assertThat(containers(repository)).isLessThanOrEqualTo(2);
            for (int i = 0; i < 6; i++) {
                session.assertRestores(ids.get(i), S3LifeMain.regions(8 * i).subList(0, 2));
            }
        }
    }

    @Test
    void aContainerThatSomebodyTookAwayIsDamageThatIsNamed() throws IOException {
        try (Repository repository = open("repo");
                TestSession session = TestSession.open(repository);
                S3Client client = server.client()) {
            session.backUp("vm", S3LifeMain.regions(0));
            session.backUp("vm", S3LifeMain.regions(40));
            String name = new ContainerFolder(repository.chunks().containers().storage(), repository.id())
                    .name(repository.chunks().containers().numbers().get(0));
            client.deleteObject(delete -> delete.bucket(bucket).key("backup/" + name));
            assertThat(session.problems()).isNotEmpty().allMatch(problem -> problem.contains(name));
        }
    }

    @Test
    void requestsAreCountedWhereTheAgentIsWatched() throws IOException {
        AgentFigures.Serving serving = new AgentFigures.Serving() {
            @Override
            public int connections() {
                return 0;
            }

            @Override
            public boolean isServing() {
                return true;
            }
        };
        try (Repository repository = open("repo");
                TestSession session = TestSession.open(repository);
                AgentFigures figures = new AgentFigures(repository, serving)) {
            session.backUp("vm", S3LifeMain.regions(0));
            assertThat(figures.pages().get("/metrics").answer().status()).isEqualTo(200);
            assertThat(counts(repository).requests())
                    .containsKeys("PutObject", "PutObject-owner", "ListObjectsV2", "GetObject");
            assertThat(counts(repository).bytesSent()).isGreaterThan(100_000);
        }
    }
}
