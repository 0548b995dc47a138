// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.lease.StoreLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is told of a put when the store was lost around it. */
class OwnedWritesTest {

    /** Nobody else wants it. */
    private static final class LonePlace implements StoreLease.Place {
        private Optional<String> text = Optional.empty();

        @Override
        public Optional<String> read() {
            return text;
        }

        @Override
        public boolean create(String first) {
            text = Optional.of(first);
            return true;
        }

        @Override
        public boolean replace(String next) {
            return create(next);
        }

        @Override
        public void delete() {
            text = Optional.empty();
        }
    }

    @Test
    void aStoreThatIsLostWhileAPutIsOnItsWayFailsThatPutAsFilesFail() throws IOException {
        AtomicInteger puts = new AtomicInteger();
        try (StubStore store = new StubStore(asked -> {
                    puts.addAndGet(asked.method().equals("PUT") ? 1 : 0);
                    return new StubStore.Answer("200 OK", Map.of("ETag", "\"1\""), new byte[0]);
                });
                S3Objects objects = new S3Objects(new S3Place("bucket", "s"), store.settings(), 1 << 20);
                StoreLease lease =
                        StoreLease.acquire(new LonePlace(), "s", new UUID(1, 1), StoreLease.Timing.DEFAULT)) {
            objects.watch().setFence(() -> {
                if (puts.get() > 0) {
                    throw new IOException("it was taken over");
                }
            });
            OwnedWrites writes = new OwnedWrites(objects, lease);
            PutContent content = PutContent.of(ByteBuffer.allocate(10));
            assertThatThrownBy(() -> writes.over("snapshots/x", content))
                    .isInstanceOf(IOException.class)
                    .hasMessage("it was taken over");
            assertThat(puts).hasValue(1);
        }
    }
}
