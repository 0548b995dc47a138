// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How much is read ahead, and that it is right. */
class S3ReadableTest {

    private final byte[] bytes = new byte[40 << 20];
    private int reads;
    private IOException problem;

    private final S3Readable.Source source = new S3Readable.Source() {
        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void read(ByteBuffer target, long position) throws IOException {
            reads++;
            if (problem != null) {
                throw problem;
            }
            target.put(bytes, (int) position, target.remaining());
        }

        @Override
        public boolean isNear() {
            return false;
        }
    };

    S3ReadableTest() {
        new Random(1).nextBytes(bytes);
    }

    private void assertReads(S3Readable file, int position, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(length);
        file.readFully(target, position);
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(bytes, position, length));
    }

    @Test
    void aFileThatIsReadThroughTakesFewRequests() throws IOException {
        S3Readable file = new S3Readable(source);
        for (int at = 0; at + 60_000 <= bytes.length; at += 60_000) {
            assertReads(file, at, 60_000);
        }
        assertThat(reads).isLessThan(12);
    }

    @Test
    void whatLiesApartIsReadAlone() throws IOException {
        S3Readable file = new S3Readable(source);
        Random random = new Random(2);
        for (int i = 0; i < 200; i++) {
            assertReads(file, random.nextInt(bytes.length - 100_000), 1 + random.nextInt(100_000));
        }
        assertThat(reads).isBetween(190, 220);
    }

    @Test
    void aReadThatFailedLeavesNothingWrong() throws IOException {
        S3Readable file = new S3Readable(source);
        assertReads(file, 0, 1000);
        assertReads(file, (1 << 20) - 1000, 1000);
        assertThat(reads).isEqualTo(1);
        problem = new IOException("broken");
        assertThatThrownBy(() -> assertReads(file, 1 << 20, 1000)).isSameAs(problem);
        problem = null;
        assertReads(file, 1 << 20, 1000);
        assertReads(file, 0, 1000);
        assertReads(file, (1 << 20) + 1000, 1000);
    }
}
