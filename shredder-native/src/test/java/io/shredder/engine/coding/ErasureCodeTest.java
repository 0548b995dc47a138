// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.engine.coding.ErasureCode.Kind;
import org.junit.jupiter.api.Test;

class ErasureCodeTest {

    @Test
    void theFieldHasRoomFor256ShardsAndTheLegacyCodeFor255() {
        assertThat(new ErasureCode(Kind.RS, 253, 3).shards()).isEqualTo(256);
        assertThat(new ErasureCode(Kind.RS_LEGACY, 252, 3).shards()).isEqualTo(255);
        assertThatThrownBy(() -> new ErasureCode(Kind.RS, 254, 3))
                .hasMessage("254 data and 3 parity shards: at most 256 in all");
        assertThatThrownBy(() -> new ErasureCode(Kind.RS_LEGACY, 253, 3)).hasMessageEndingWith("at most 255 in all");
        assertThatThrownBy(() -> new ErasureCode(Kind.RS, Integer.MAX_VALUE, 3))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void thereIsAtLeastOneShardOfEachAndXorHasOneParityShard() {
        assertThatThrownBy(() -> new ErasureCode(Kind.RS, 0, 3)).hasMessageContaining("at least one of each");
        assertThatThrownBy(() -> new ErasureCode(Kind.RS, 3, 0)).hasMessageContaining("at least one of each");
        assertThatThrownBy(() -> new ErasureCode(Kind.XOR, 3, 2)).hasMessage("XOR has one parity shard, not 2");
    }
}
