// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundsStoreTest {
    private static final PointFormat FORMAT = new PointFormat(2, 0, false);
    private static final int[] POINTS = {0, 0, 3, 4, 10, 10};
    private static final Points CENTROIDS = new Points(FORMAT, 2, new int[] {0, 0, 10, 9});

    private final PointBounds bounds = new BoundedAssignment(CENTROIDS).first(POINTS, 3);

    /** Pins version 1 of docs/formats/kmeans-bounds.md. */
    @Test
    void theFormatIsAsItsDocumentSays() {
        String hex = HexFormat.of().formatHex(BoundsStore.encode(bounds));

        assertThat(hex)
                .startsWith("4b4d424f554e4453" + "00000001" + "00000003" + "00000002" + "00000002"
                        + "00000000000000000000000a00000009" + "000000000000000000000001" + "00000000")
                .hasSize(2 * (24 + 16 + 3 * 12 + 32));
    }

    @Test
    void whatWasWrittenIsReadAgainAndReplaced(@TempDir Path folder) throws Exception {
        var store = new BoundsStore(new org.apache.hadoop.fs.Path(folder.toUri()), new Configuration());
        String name = BoundsStore.nameOf(POINTS, POINTS.length, 2);
        assertThat(store.read(name, 3, CENTROIDS)).isEmpty();
        store.write(name, bounds);
        store.write(name, bounds);

        PointBounds read = store.read(name, 3, CENTROIDS).orElseThrow();

        assertThat(read.nearest()).containsExactly(0, 0, 1);
        assertThat(read.upper()).containsExactly(bounds.upper());
        assertThat(read.lower()).containsExactly(bounds.lower());
        assertThat(read.centroids().coordinates()).containsExactly(0, 0, 10, 9);
    }

    @Test
    void bytesThatAreDamagedOrOfOtherPointsAreAsGoodAsNone() throws Exception {
        byte[] whole = BoundsStore.encode(bounds);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x40;
            assertThat(BoundsStore.decode(damaged, 3, CENTROIDS))
                    .as("byte %d", at)
                    .isEmpty();
            assertThat(BoundsStore.decode(java.util.Arrays.copyOf(whole, at), 3, CENTROIDS))
                    .isEmpty();
        }
        assertThat(BoundsStore.decode(whole, 2, CENTROIDS)).isEmpty();
        assertThat(BoundsStore.decode(whole, 3, new Points(FORMAT, 1, new int[] {0, 0})))
                .isEmpty();
    }

    @Test
    void namesTellPointsApart() {
        assertThat(BoundsStore.nameOf(POINTS, 6, 2)).isNotEqualTo(BoundsStore.nameOf(POINTS, 6, 3));
        assertThat(BoundsStore.nameOf(POINTS, 6, 2)).isNotEqualTo(BoundsStore.nameOf(POINTS, 4, 2));
    }
}
