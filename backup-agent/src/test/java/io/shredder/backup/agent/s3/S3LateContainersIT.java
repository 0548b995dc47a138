// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerWriters;
import io.shredder.backup.agent.container.OpenContainer;
import io.shredder.backup.agent.container.Pause;
import io.shredder.backup.region.StoredRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Containers that a process had on its way when it died have numbers that none after it uses. */
@ExtendWith(OnS3Server.class)
class S3LateContainersIT {

    private static final UUID AGENT = new UUID(1, 1);
    private static final UUID REPOSITORY = new UUID(1, 2);

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());

    private ContainerFolder open(S3Server server, S3Place place) throws IOException {
        return new ContainerFolder(
                S3Storage.open(
                        place,
                        server.settings(),
                        AGENT,
                        folder.resolve(UUID.randomUUID().toString())),
                REPOSITORY);
    }

    /** As the next process begins. */
    private static ContainerWriters writers(ContainerFolder containers) throws IOException {
        SortedMap<Integer, Long> sizes = containers.sizes();
        ContainerPosition end = sizes.isEmpty()
                ? ContainerPosition.START
                : new ContainerPosition(sizes.lastKey(), Math.toIntExact(sizes.get(sizes.lastKey())));
        return new ContainerWriters(containers, 1 << 20, end);
    }

    /** Appends to several containers, none of which is put, and returns their numbers. */
    private SortedSet<Integer> append(ContainerWriters writers, int count) throws IOException {
        List<StoredRegion> regions = Samples.inRegions(random, Samples.chunks(random, 10, 600));
        SortedSet<Integer> numbers = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            OpenContainer taken = writers.take(regions.get(0)).orElseThrow();
            taken.append(regions.get(0), false).values().stream()
                    .map(ChunkLocation::container)
                    .forEach(numbers::add);
        }
        return numbers;
    }

    /** What a process that died had sent arrives, if it still can. */
    private static void arrive(S3Server server, S3Place place, ContainerFolder containers, int number)
            throws IOException {
        try (S3Objects objects = new S3Objects(place, server.settings(), 1 << 20)) {
            PutContent content = PutContent.of(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            objects.put(containers.name(number), content, UUID.randomUUID(), Optional.empty(), false);
        }
    }

    private static void force(ContainerWriters writers, SortedSet<Integer> numbers, ContainerFolder containers)
            throws IOException {
        try (Pause pause = writers.pause()) {
            pause.force();
        }
        assertThat(containers.numbers()).containsAll(numbers);
    }

    private void forceGivenBack(ContainerWriters writers, ContainerFolder containers) throws IOException {
        StoredRegion region =
                Samples.inRegions(random, Samples.chunks(random, 10, 600)).get(0);
        OpenContainer taken = writers.take(region).orElseThrow();
        SortedSet<Integer> numbers = new TreeSet<>();
        taken.append(region, false).values().forEach(at -> numbers.add(at.container()));
        writers.giveBack(taken);
        force(writers, numbers, containers);
    }

    @Test
    void processesThatDieBeforeAContainerArrivesUseNoNumberTwice(S3Server server) throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        SortedSet<Integer> onTheirWay = new TreeSet<>();
        for (int process = 0; process < 3; process++) {
            ContainerWriters dying = writers(open(server, place));
            SortedSet<Integer> numbers = append(dying, 2);
            assertThat(numbers).hasSize(2);
            assertThat(onTheirWay).doesNotContainAnyElementsOf(numbers);
            onTheirWay.addAll(numbers);
        }
        ContainerFolder containers = open(server, place);
        ContainerWriters living = writers(containers);
        for (int number : onTheirWay) {
            arrive(server, place, containers, number);
        }
        forceGivenBack(living, containers);
    }

    @Test
    void aContainerThatCameLateIsPassedBy(S3Server server) throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        ContainerFolder containers = open(server, place);
        ContainerWriters living = writers(containers);
        for (int number = 1; number <= 2 * ContainerWriters.MOST_OPEN; number++) {
            arrive(server, place, containers, number);
        }
        forceGivenBack(living, containers);
        assertThat(containers.numbers()).last().isEqualTo(2 * (ContainerWriters.MOST_OPEN + 1));
    }

    @Test
    void oneThatComesAfterTheFirstWasBegunIsRefused(S3Server server) throws IOException {
        S3Place place = new S3Place(server.bucket(), "s");
        ContainerFolder containers = open(server, place);
        ContainerWriters living = writers(containers);
        StoredRegion region =
                Samples.inRegions(random, Samples.chunks(random, 10, 600)).get(0);
        OpenContainer taken = living.take(region).orElseThrow();
        arrive(server, place, containers, ContainerWriters.MOST_OPEN + 1);
        taken.append(region, false);
        living.giveBack(taken);
        force(living, new TreeSet<>(List.of(ContainerWriters.MOST_OPEN + 1)), containers);
    }
}
