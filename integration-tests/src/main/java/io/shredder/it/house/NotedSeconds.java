// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.house;

import io.shredder.it.figures.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** How long something took that {@code run} or {@code .ci/run} did, as they leave it in {@code target}. */
public final class NotedSeconds {
    private NotedSeconds() {}

    /**
     * In seconds, if it was done, and passed, at the commit that is checked out.
     *
     * @param what such as {@code test}
     */
    public static Optional<Double> of(Path root, String what) throws IOException {
        Path file = root.resolve("target").resolve(what + "-seconds");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String[] words = Files.readString(file).strip().split(" ", -1);
        return words.length == 2 && words[0].equals(Checkout.commit(root))
                ? Optional.of(Double.valueOf(words[1]))
                : Optional.empty();
    }
}
