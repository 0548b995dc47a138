// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.agent.s3.VersionHistory.Change;
import io.shredder.backup.agent.s3.VersionHistory.Kind;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.ObjectVersion;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Somebody who has all of the agent's keys, and what an object store with locks leaves him to do. */
@ExtendWith(OnS3Server.class)
class S3LockIT {

    private static final Retention MONTH = new Retention(Duration.ofDays(30), Retention.Mode.COMPLIANCE);

    private static S3Server server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void use(S3Server running) {
        server = running;
    }

    private Repository open(String repo, String bucket) throws IOException {
        return Repository.open(
                new StorePlace(
                        folder.resolve(repo),
                        Optional.of(URI.create("s3://" + bucket + "/backup")),
                        server.settings().withRetention(Optional.of(MONTH))),
                Clock.systemUTC(),
                S3LifeMain.CONTAINER_BYTES,
                S3LifeMain.TABLE_ENTRIES);
    }

    /** Deletes, overwrites and shortens whatever lets him, in every way that there is. */
    private static int attack(S3Client client, String bucket) {
        int denied = 0;
        List<ObjectVersion> before =
                client.listObjectVersions(list -> list.bucket(bucket)).versions();
        for (ObjectVersion version : before) {
            if (version.key().endsWith("/owner")) {
                continue;
            }
            denied += denied(() -> client.deleteObject(
                    delete -> delete.bucket(bucket).key(version.key()).versionId(version.versionId())));
            denied += denied(() -> client.deleteObject(delete -> delete.bucket(bucket)
                    .key(version.key())
                    .versionId(version.versionId())
                    .bypassGovernanceRetention(true)));
            denied += denied(() -> client.putObjectRetention(put -> put.bucket(bucket)
                    .key(version.key())
                    .versionId(version.versionId())
                    .bypassGovernanceRetention(true)
                    .retention(kept -> kept.mode(ObjectLockRetentionMode.GOVERNANCE)
                            .retainUntilDate(Instant.now().plusSeconds(60)))));
        }
        assertThat(denied).as("refused of three attacks on each version").isEqualTo(3 * attacked(before));
        int turn = 0;
        for (S3Object object : client.listObjectsV2(list -> list.bucket(bucket)).contents()) {
            if (turn % 3 != 0 && !object.key().endsWith("/owner")) {
                client.putObject(
                        put -> put.bucket(bucket).key(object.key()), RequestBody.fromString("your data is encrypted"));
            }
            if (turn % 3 != 1 || object.key().endsWith("/owner")) {
                client.deleteObject(delete -> delete.bucket(bucket).key(object.key()));
            }
            turn++;
        }
        return turn;
    }

    private static int attacked(List<ObjectVersion> versions) {
        return (int) versions.stream()
                .filter(version -> !version.key().endsWith("/owner"))
                .count();
    }

    private static int denied(Runnable attack) {
        try {
            attack.run();
            return 0;
        } catch (S3Exception e) {
            return 1;
        }
    }

    @Test
    void whoeverHasTheAgentsKeysCantDeleteBeforeTheDateAndWhatHeHidesComesBack() throws Exception {
        String bucket = server.lockedBucket();
        long id;
        try (Repository repository = open("repo", bucket);
                TestSession session = TestSession.open(repository)) {
            id = session.backUp("vm", S3LifeMain.regions(1));
        }
        Instant well = nextSecond();
        try (S3Client client = server.client()) {
            assertThat(attack(client, bucket)).isGreaterThan(3);
        }
        assertThatThrownBy(() -> open("repo", bucket)).isInstanceOf(IOException.class);
        String[] command = {
            "undo-store",
            "--store",
            "s3://" + bucket + "/backup",
            "--since",
            well.toString(),
            "--store-endpoint",
            server.endpoint().toString(),
            "--store-retention",
            "30d"
        };
        assertThat(AgentMain.run(command)).as("something is left").isEqualTo(1);
        assertThat(AgentMain.run(Stream.concat(Arrays.stream(command), Stream.of("--apply"))
                        .toArray(String[]::new)))
                .isZero();
        assertThat(AgentMain.run(command)).as("nothing is left").isZero();
        try (Repository repository = open("repo", bucket);
                TestSession session = TestSession.open(repository)) {
            assertThat(repository.catalogue().problems()).isEmpty();
            session.assertRestores(id, S3LifeMain.regions(1));
            assertThat(session.problems()).isEmpty();
        }
    }

    /** A moment that is over, also for who counts in whole seconds. */
    private static Instant nextSecond() throws Exception {
        Instant next = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        TrialRun.await("the next second", 5000, () -> Instant.now().isAfter(next.plusMillis(1100)));
        return next;
    }

    @Test
    void whatACollectionFindsAliveIsLockedAnewAndWhatItDeletesIsNot() throws Exception {
        String bucket = server.lockedBucket();
        try (Repository repository = open("repo", bucket);
                TestSession session = TestSession.open(repository);
                S3Client client = server.client()) {
            long first = session.backUp("vm", S3LifeMain.regions(0));
            long second = session.backUp("vm", S3LifeMain.regions(40));
            session.delete(first);
            List<ObjectVersion> before = versions(client, bucket);
            List<Instant> dates = dates(client, bucket, before);
            nextSecond();
            assertThat(session.collect(false).problems()).isEmpty();
            List<S3Object> left =
                    client.listObjectsV2(list -> list.bucket(bucket)).contents();
            int renewed = 0;
            for (int i = 0; i < before.size(); i++) {
                ObjectVersion version = before.get(i);
                boolean lives = left.stream()
                        .anyMatch(object -> object.key().equals(version.key())
                                && object.eTag().equals(version.eTag()));
                Instant now = date(client, bucket, version);
                if (lives) {
                    assertThat(now).as(version.key()).isAfter(dates.get(i));
                    renewed++;
                } else {
                    assertThat(now).as(version.key()).isEqualTo(dates.get(i));
                }
            }
            assertThat(renewed).isPositive().isLessThan(before.size());
            session.assertRestores(second, S3LifeMain.regions(40));
        }
    }

    private static List<ObjectVersion> versions(S3Client client, String bucket) {
        ListObjectVersionsResponse all = client.listObjectVersions(list -> list.bucket(bucket));
        return all.versions().stream()
                .filter(version -> !version.key().endsWith("/owner"))
                .toList();
    }

    private static List<Instant> dates(S3Client client, String bucket, List<ObjectVersion> versions) {
        return versions.stream().map(version -> date(client, bucket, version)).toList();
    }

    private static Instant date(S3Client client, String bucket, ObjectVersion version) {
        return client.getObjectRetention(
                        get -> get.bucket(bucket).key(version.key()).versionId(version.versionId()))
                .retention()
                .retainUntilDate();
    }

    @Test
    void aBucketWithoutLocksIsRefusedWhereRetentionIsAskedFor() throws IOException {
        String bucket = server.bucket();
        assertThatThrownBy(() -> open("repo", bucket))
                .hasMessageContaining("bucket " + bucket + " has no Object Lock")
                .hasMessageContaining("leave --store-retention out");
    }

    @Test
    void whatAnAgentDidItselfIsNamedAsWellAndASmallContainerThatGrewStays() throws Exception {
        String bucket = server.lockedBucket();
        S3Place place = new S3Place(bucket, "backup");
        Instant well;
        try (Repository repository = open("repo", bucket);
                TestSession session = TestSession.open(repository)) {
            long first = session.backUp("vm", S3LifeMain.regions(1).subList(0, 2));
            well = nextSecond();
            session.backUp("vm", S3LifeMain.regions(1).subList(0, 4));
            session.delete(first);
        }
        try (VersionHistory history = VersionHistory.open(place, server.settings())) {
            List<Change> changes = history.changesSince(well);
            assertThat(changes)
                    .filteredOn(change -> change.name().startsWith("snapshots/"))
                    .extracting(Change::kind)
                    .containsExactlyInAnyOrder(Kind.ADDED, Kind.DELETED);
            assertThat(changes).extracting(Change::name).noneMatch(name -> name.startsWith("containers/"));
        }
    }
}
