// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.engine.coding.ErasureCode.Kind;
import org.junit.jupiter.api.Test;

class ReferenceErasureCoderTest extends ErasureCoderContract {

    @Override
    ErasureCoder open(ErasureCode code) {
        return new ReferenceErasureCoder(code);
    }

    @Test
    void itIsCalledJava() {
        try (ErasureCoder coder = open(new ErasureCode(Kind.RS, 3, 2))) {
            assertThat(coder.form()).isEqualTo("java");
        }
    }
}
