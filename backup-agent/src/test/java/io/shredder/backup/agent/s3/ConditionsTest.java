// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.s3.StubStore.Answer;
import io.shredder.backup.agent.s3.StubStore.Asked;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An object store that puts whatever comes, whether its condition holds or not, is found out before it is used. */
class ConditionsTest {

    private static final S3Place PLACE = new S3Place("bucket", "s");
    private static final String OWNER = "/bucket/s/owner";

    @TempDir
    private Path folder;

    /** Fields of heads that the object store heeds. */
    private Set<String> heeds = Set.of("if-none-match", "if-match");

    private final Map<String, Asked> objects = new HashMap<>();
    private final List<String> owners = new ArrayList<>();

    private synchronized Answer answer(Asked asked) {
        String name = asked.target().replaceFirst("\\?.*", "");
        if (asked.target().contains("?lifecycle")) {
            return Answer.error("404 Not Found", "NoSuchLifecycleConfiguration");
        } else if (asked.target().contains("?uploads")) {
            return new Answer("200 OK", "<ListMultipartUploadsResult></ListMultipartUploadsResult>");
        } else if (name.equals("/bucket")) {
            return StubStore.EMPTY;
        } else if (asked.method().equals("PUT")) {
            return put(name, asked);
        }
        Asked there = objects.get(name);
        return there == null
                ? Answer.error("404 Not Found", "NoSuchKey")
                : new Answer("200 OK", Map.of("ETag", etag(there)), there.body());
    }

    private Answer put(String name, Asked asked) {
        Asked there = objects.get(name);
        boolean isThere =
                heeds.contains("if-none-match") && asked.fields().containsKey("if-none-match") && there != null;
        boolean isOther = heeds.contains("if-match")
                && asked.fields().containsKey("if-match")
                && (there == null || !etag(there).equals(asked.fields().get("if-match")));
        if (isThere || isOther) {
            return Answer.error("412 Precondition Failed", "PreconditionFailed");
        }
        objects.put(name, asked);
        if (name.equals(OWNER)) {
            owners.add(new String(asked.body(), StandardCharsets.US_ASCII));
        }
        return new Answer("200 OK", Map.of("ETag", etag(asked)), new byte[0]);
    }

    private static String etag(Asked put) {
        return "\"" + UUID.nameUUIDFromBytes(put.body()) + "\"";
    }

    private S3Storage open(StubStore store) throws IOException {
        return S3Storage.open(PLACE, store.settings(), new UUID(1, 1), folder.resolve("spool"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "if-none-match", "if-match"})
    void anObjectStoreThatDoesNotHeedConditionsIsRefused(String heeded) throws IOException {
        heeds = Set.of(heeded);
        try (StubStore store = new StubStore(this::answer)) {
            assertThatThrownBy(() -> open(store).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://bucket/s")
                    .hasMessageContaining(
                            store.settings().endpoint().orElseThrow().toString())
                    .hasMessageContaining(heeded.equals("if-none-match") ? "If-Match" : "If-None-Match")
                    .hasMessageContaining("use an object store, or a version of it, that obeys conditional writes");
            assertThat(owners).last().isEqualTo("nobody\n");
            assertThat(owners.subList(0, owners.size() - 1)).containsOnly(owners.get(0));
            assertThat(objects).containsOnlyKeys(OWNER);
        }
    }

    @Test
    void oneThatHeedsThemIsLeftAsItIs() throws IOException {
        try (StubStore store = new StubStore(this::answer)) {
            open(store).close();
            assertThat(owners).hasSize(2).last().isEqualTo("nobody\n");
            open(store).close();
            assertThat(owners).hasSize(4);
            assertThat(objects).containsOnlyKeys(OWNER);
        }
    }
}
