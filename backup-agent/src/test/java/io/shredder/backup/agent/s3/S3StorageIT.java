// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.lease.StoreInUseException;
import io.shredder.backup.agent.lease.StoreLease;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StorageContract;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** The contract of all storages, and what an object store adds to it. */
@ExtendWith(OnS3Server.class)
class S3StorageIT extends StorageContract {

    private static final UUID AGENT = new UUID(1, 1);
    private static final UUID OTHER = new UUID(2, 2);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(400);
    /** Looks at the owner object before every change. */
    private static final StoreLease.Timing WARY = new StoreLease.Timing(SHORT, Duration.ZERO, LONG);

    private static final String CONTAINER = "containers/00000/00000011.container";

    private static S3Server server;

    @TempDir
    private Path spools;

    @BeforeAll
    static void use(S3Server running) {
        server = running;
    }

    @Override
    protected Storage openEmpty(Path folder) throws IOException {
        return S3Storage.open(
                new S3Place(server.bucket(), "a/store"), server.settings(), AGENT, folder.resolve("spool"));
    }

    private S3Storage open(S3Place place, UUID agent, StoreLease.Timing timing) throws IOException {
        return S3Storage.open(place, server.settings(), agent, spools.resolve(agent.toString()), timing);
    }

    private static ByteBuffer bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static ByteBuffer contents(Storage storage, String file) throws IOException {
        try (ReadableFile opened = storage.open(file)) {
            ByteBuffer all = ByteBuffer.allocate((int) opened.size());
            opened.readFully(all, 0);
            return all.flip();
        }
    }

    private static long puts(Storage storage) {
        return storage.requests().orElseThrow().requests().getOrDefault("PutObject", 0L);
    }

    @Test
    void aSecondAgentIsKeptOutWhileTheFirstLivesAndTakesOverWhenItIsDead() throws IOException {
        S3Place place = new S3Place(server.bucket(), "");
        try (S3Storage first = open(place, AGENT, new StoreLease.Timing(SHORT, LONG, LONG))) {
            assertThatThrownBy(() -> open(place, OTHER, WARY))
                    .isInstanceOf(StoreInUseException.class)
                    .hasMessageContaining(
                            "is in use by process " + ProcessHandle.current().pid() + " on ")
                    .hasMessageContaining("stop that agent first");
            first.replace("highest-id", bytes(24, 1));
        }
        try (S3Storage then = open(place, OTHER, WARY)) {
            assertThat(then.read("highest-id")).contains(bytes(24, 1));
            put(place, "owner", "agent " + AGENT + "\nprocess 1 on elsewhere\nsession x\nbeat 7\n");
            // By whom, unless a renewal has found out before.
            assertThatThrownBy(() -> then.replace("highest-id", bytes(24, 2)))
                    .hasMessageFindingMatch("process 1 on elsewhere|was taken over by another agent");
            assertThatThrownBy(() -> then.create(CONTAINER, bytes(64, 1))).hasMessageContaining("was taken over");
            assertThatThrownBy(() -> then.delete("highest-id")).hasMessageContaining("was taken over");
        }
        try (S3Storage again = open(place, AGENT, WARY)) {
            assertThat(again.read("highest-id")).contains(bytes(24, 1));
        }
        put(place, "owner", "agent " + OTHER + "\nprocess 1 on elsewhere\nsession x\nbeat 7\n");
        open(place, AGENT, new StoreLease.Timing(SHORT, LONG, SHORT)).close();
    }

    private static void put(S3Place place, String name, String text) throws IOException {
        try (S3Client client = server.client()) {
            client.putObject(put -> put.bucket(place.bucket()).key(place.key(name)), RequestBody.fromString(text));
        }
    }

    /** It slept between its look at the owner object and the request itself. */
    @Test
    void whatAnAgentThatLostTheStoreStillHadOnItsWayReplacesNothing() throws Exception {
        S3Place place = new S3Place(server.bucket(), "s");
        StoreLease.Timing trusting = new StoreLease.Timing(LONG, LONG, SHORT);
        try (S3Storage sleeper = open(place, AGENT, trusting)) {
            sleeper.replace("highest-id", bytes(24, 1));
            AppendableFile container = sleeper.create(CONTAINER, bytes(64, 1));
            container.append(bytes(2 << 20, 2));
            AppendableFile other = sleeper.create("containers/00000/00000012.container", bytes(64, 1));
            other.append(bytes(2 << 20, 2));
            try (S3Storage awake = open(place, OTHER, new StoreLease.Timing(SHORT, LONG, SHORT))) {
                awake.replace("highest-id", bytes(24, 3));
                awake.create(CONTAINER, bytes(64, 4)).close();
                assertThatThrownBy(container::force)
                        .hasMessageContaining(CONTAINER)
                        .hasMessageContaining("start this agent again");
                // It still believes that the store is its own, and the other one's content is in the way.
                assertThatThrownBy(() -> sleeper.replace("highest-id", bytes(24, 5)))
                        .isInstanceOf(StoreInUseException.class)
                        .hasMessageContaining("was taken over");
                assertThatThrownBy(other::force).hasMessageContaining("was taken over");
                assertThat(contents(awake, CONTAINER)).isEqualTo(bytes(64, 4));
                assertThat(awake.read("highest-id")).contains(bytes(24, 3));
                assertThat(awake.list("containers"))
                        .as("what never arrived is not there")
                        .containsExactly(new StoredFile(CONTAINER, 64));
            }
        }
    }

    @Test
    @InTurn(days = 3)
    void aDeletionThatWasSignedBeforeTheMachineSleptIsNotObeyed() throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        put(place, CONTAINER, "of the next owner");
        try (S3Objects objects = new S3Objects(place, server.settings(), 1 << 20)) {
            objects.list();
            Instant awake = Instant.now().plusSeconds(12);
            objects.watch().setFence(() -> {
                while (Instant.now().isBefore(awake)) {
                    S3Objects.pause(1);
                }
            });
            assertThatThrownBy(() -> objects.delete(CONTAINER)).hasMessageContaining("or it came too late");
            assertThat(objects.head(CONTAINER)).isPresent();
            objects.delete(CONTAINER);
            assertThat(objects.head(CONTAINER)).isEmpty();
        }
    }

    @Test
    void aLargeContainerIsOnePutAndSmallCommitsShareAnObject() throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        try (S3Storage storage = open(place, AGENT, new StoreLease.Timing(LONG, LONG, LONG))) {
            long before = puts(storage);
            try (AppendableFile large = storage.create(CONTAINER, bytes(64, 1))) {
                large.append(bytes(5 << 20, 2));
                large.beginForce();
                large.force();
                assertThat(large.canGrow()).isFalse();
            }
            assertThat(puts(storage) - before).isEqualTo(1);
            String small = "containers/00000/00000012.container";
            AppendableFile file = storage.create(small, bytes(64, 1));
            for (int i = 0; i < 5; i++) {
                file.append(bytes(1000, i));
                file.force();
                file.force();
                assertThat(file.canGrow()).isTrue();
            }
            assertThat(storage.size(small)).isEqualTo(5064);
            assertThat(puts(storage) - before).isEqualTo(6);
            file.append(bytes(1 << 20, 9));
            ByteBuffer unforced = contents(storage, small);
            file.force();
            assertThat(contents(storage, small)).isEqualTo(unforced);
            assertThat(storage.requests().orElseThrow().bytesSent()).isGreaterThan(6 << 20);
            assertThat(spools.resolve(AGENT.toString())).isEmptyDirectory();
        }
    }

    @Test
    void longFilesComeInPartsAndAreWholeOrNotThere() throws Exception {
        S3Place place = new S3Place(server.bucket(), "s");
        Path file = Files.write(spools.resolve("file"), bytes(70 << 20, 1).array());
        try (S3Objects objects = new S3Objects(place, server.settings(), 1 << 20)) {
            PutContent content = PutContent.of(file, 70 << 20);
            StoredObject put = objects.put("snapshots/x", content, AGENT, Optional.empty(), true)
                    .orElseThrow();
            assertThat(objects.head("snapshots/x").orElseThrow().has(content)).isTrue();
            assertThat(objects.put("snapshots/x", content, AGENT, Optional.empty(), true))
                    .as("there already")
                    .isEmpty();
            assertThat(objects.put("snapshots/x", content, OTHER, Optional.of(put), true))
                    .isPresent();
            assertThat(objects.watch().counts().requests()).containsEntry("UploadPart", 6L);
            ByteBuffer end = ByteBuffer.allocate(1000);
            objects.read("snapshots/x", end, (70 << 20) - 1000);
            assertThat(end.flip()).isEqualTo(bytes(70 << 20, 1).position((70 << 20) - 1000));
            objects.clearParts();
        }
    }

    @Test
    void whatAnUploadLeftUnfinishedIsClearedAway() throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        try (S3Client client = server.client()) {
            String id = client.createMultipartUpload(
                            create -> create.bucket(place.bucket()).key("s/snapshots/x"))
                    .uploadId();
            client.uploadPart(
                    part -> part.bucket(place.bucket())
                            .key("s/snapshots/x")
                            .uploadId(id)
                            .partNumber(1),
                    RequestBody.fromString("left"));
            open(place, AGENT, WARY).close();
            assertThat(client.listMultipartUploads(list -> list.bucket(place.bucket()))
                            .uploads())
                    .isEmpty();
        }
    }

    @Test
    void aPrefixWithOtherThingsIsRefusedAndABucketThatIsNotThereNamed() throws IOException {
        S3Place place = new S3Place(server.bucket(), "photos");
        put(place, "a.jpg", "x");
        assertThatThrownBy(() -> open(place, AGENT, WARY))
                .hasMessageContaining("is not a repository and not empty, there is a.jpg");
        assertThatThrownBy(() -> open(new S3Place("no-such-bucket", "s"), AGENT, WARY))
                .hasMessageContaining("make the bucket no-such-bucket");
    }

    @Test
    void wrongKeysAreToldFromOthers() throws IOException {
        String bucket = server.bucket();
        System.setProperty("aws.secretAccessKey", "wrong");
        try {
            assertThatThrownBy(() -> open(new S3Place(bucket, "s"), AGENT, WARY))
                    .hasMessageContaining("the keys are not the object store's");
        } finally {
            System.setProperty("aws.secretAccessKey", S3Server.SECRET);
        }
    }

    @Test
    void aStaleListHidesNothingThatHasAName() throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        try (S3Storage storage = open(place, AGENT, new StoreLease.Timing(LONG, LONG, LONG))) {
            put(place, CONTAINER, "was there before it was listed");
            assertThat(storage.list("containers")).isEmpty();
            assertThat(storage.size(CONTAINER)).isEqualTo(30);
            assertThat(contents(storage, CONTAINER).remaining()).isEqualTo(30);
            assertThat(storage.list("containers")).hasSize(1);
        }
    }

    @Test
    void theWriterOfAnObjectIsSaidWithIt() throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        try (S3Storage storage = open(place, AGENT, new StoreLease.Timing(LONG, LONG, LONG));
                S3Client client = server.client()) {
            storage.replace("highest-id", bytes(24, 1));
            Map<String, String> said = client.headObject(
                            head -> head.bucket(place.bucket()).key("s/highest-id"))
                    .metadata();
            assertThat(said).containsKeys("shredder-session", "shredder-crc32c");
        }
    }

    @Test
    void theWayIsEncryptedAndWhoIsAtItsEndIsChecked() throws Exception {
        TlsFiles tls = new TestCertificates(spools.resolve("certs")).agent("127.0.0.1");
        try (S3Server encrypted = S3Server.start(Files.createDirectories(spools.resolve("server")), tls)) {
            S3Settings settings = encrypted.settings(tls.authority());
            S3Place place = new S3Place(encrypted.bucket(settings), "s");
            try (S3Storage storage = S3Storage.open(place, settings, AGENT, spools.resolve("spool"))) {
                storage.replace("highest-id", bytes(24, 1));
                storage.create(CONTAINER, bytes(64, 1)).close();
                assertThat(contents(storage, CONTAINER)).isEqualTo(bytes(64, 1));
                storage.delete(CONTAINER);
            }
            assertThatThrownBy(() -> S3Storage.open(place, encrypted.settings(), AGENT, spools.resolve("spool")))
                    .hasMessageContaining("name with --store-ca who vouches for it");
        }
    }
}
