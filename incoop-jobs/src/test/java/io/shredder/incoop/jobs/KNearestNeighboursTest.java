// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import org.junit.jupiter.api.Test;

class KNearestNeighboursTest extends LocalJobCase {
    @InTurn(days = 3)
    @Test
    void eachQueryGetsItsNearestPointsAndTiesGoByTheCoordinates() throws Exception {
        write("in/one", "1 0", "0 1", "7 7");
        write("in/two", "0 -1", "8 8", "0 1");
        String queries = write("queries", "0 0", "8 7").toString();

        assertThat(run(new KNearestNeighbours(), "out", "--queries", queries, "--neighbours", "3", "--decimals", "0"))
                .containsExactly("0\t1:0 -1;1:0 1;1:0 1", "1\t1:7 7;1:8 8;98:1 0");
    }

    @InTurn(days = 3)
    @Test
    void anySplittingGivesTheSame() throws Exception {
        String[] points = new String[500];
        for (int i = 0; i < points.length; i++) {
            points[i] = i * 7919 % 101 + " " + i * 104729 % 97;
        }
        write("in/points", points);
        String queries = write("queries", "50 50", "0 0", "100 3").toString();

        assertThat(run(
                        new KNearestNeighbours(),
                        "pieces",
                        "-Dmapreduce.input.fileinputformat.split.maxsize=500",
                        "--queries",
                        queries))
                .isEqualTo(run(new KNearestNeighbours(), "whole", "--queries", queries))
                .hasSize(3);
    }
}
