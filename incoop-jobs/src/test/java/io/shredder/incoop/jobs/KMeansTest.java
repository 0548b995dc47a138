// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.DataOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KMeansTest extends LocalJobCase {
    @InTurn(days = 3)
    @Test
    void clustersOfAKnownSetAreFoundAndTheIterationEndsWhenNothingMoves() throws Exception {
        write("in/points", "0 0", "0 1", "10.5, 10", "10.5\t11", "-2 0.5");
        String centroids = write("start", "0 0", "9 9", "500 500").toString();

        exitCode(new KMeans(), "out", "--centroids", centroids, "--decimals", "3");

        // The mean of 0, 0 and -2 is -2/3; a cluster without points keeps its centroid.
        assertThat(Files.readAllLines(folder.resolve("out/centroids")))
                .containsExactly("-0.667 0.500", "10.500 10.500", "500.000 500.000");
        assertThat(lines(folder.resolve("out/iteration-002")))
                .containsExactly("0\t-0.667 0.500\t3", "1\t10.500 10.500\t2");
        assertThat(folder.resolve("out/iteration-003")).doesNotExist();
    }

    @InTurn(days = 3)
    @Test
    void anyGroupingOfThePointsAndBinaryRecordsGiveTheSame() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        List<String> points = randomPoints(new Random(seed), 3000);
        write("in/points", points.toArray(String[]::new));
        String centroids =
                write("start", points.subList(0, 7).toArray(String[]::new)).toString();
        exitCode(new KMeans(), "whole", "--centroids", centroids, "--iterations", "3");
        exitCode(
                new KMeans(),
                "pieces",
                "-Dmapreduce.input.fileinputformat.split.maxsize=20000",
                "--centroids",
                centroids,
                "--iterations",
                "3");
        writeBinary(folder.resolve("in/points"), points);
        exitCode(new KMeans(), "binary", "--centroids", centroids, "--iterations", "3", "--records", "binary");

        assertThat(everyFile("pieces")).isEqualTo(everyFile("whole"));
        assertThat(everyFile("binary")).isEqualTo(everyFile("whole"));
    }

    @InTurn(days = 3)
    @Test
    void boundsNeverChangeAResultAndSpareDistances() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        List<String> points = randomPoints(random, 4000);
        String centroids =
                write("start", points.subList(0, 9).toArray(String[]::new)).toString();
        for (int version = 0; version < 2; version++) {
            write("in/points", points.toArray(String[]::new));
            exitCode(new KMeans(), "plain" + version, "--centroids", centroids, "--iterations", "5");
            exitCode(
                    new KMeans(),
                    "bounded" + version,
                    "-Dmapreduce.input.fileinputformat.split.maxsize=40000",
                    "--centroids",
                    centroids,
                    "--iterations",
                    "5",
                    "--bounds",
                    folder.resolve("bounds").toString());

            assertThat(everyFile("bounded" + version))
                    .as("version %d of seed %d", version, seed)
                    .isEqualTo(everyFile("plain" + version));
            points.set(random.nextInt(points.size()), "1.5 2.5 0");
            points.remove(random.nextInt(points.size()));
        }
        assertThat(folder.resolve("bounds")).isNotEmptyDirectory();
    }

    @Test
    void aPointThatIsNoneFailsTheJob() throws Exception {
        write("in/points", "1 2", "1 x");
        String centroids = write("start", "0 0").toString();

        assertThat(exitCode(new KMeans(), "out", "--centroids", centroids)).isEqualTo(JobTool.FAILED);
    }

    private static List<String> randomPoints(Random random, int count) {
        List<String> points = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            points.add(random.nextInt(1000) / 1e1 + " " + random.nextInt(90) + " -" + random.nextInt(9999) / 1e3);
        }
        return points;
    }

    private static void writeBinary(Path file, List<String> points) throws Exception {
        var format = new PointFormat(3, 3, false);
        try (var out = new DataOutputStream(Files.newOutputStream(file))) {
            for (String point : points) {
                for (int coordinate : format.parse(point)) {
                    out.writeInt(coordinate);
                }
            }
        }
    }

    /** Part files and centroids of all iterations. */
    private List<String> everyFile(String output) throws Exception {
        Path root = folder.resolve(output);
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (!file.getFileName().toString().matches("[._].*")) {
                    all.add(root.relativize(file) + ": " + Files.readString(file));
                }
            }
        }
        return all;
    }
}
