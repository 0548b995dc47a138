// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a class's tests an object store, or those of all classes that JUnit is given at once; a new one each time,
 * since buckets of one that ended may have the same names. Without its program they are skipped.
 */
public final class OnS3Server implements BeforeAllCallback, ParameterResolver {

    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(OnS3Server.class);

    /** Closed when all tests are over. */
    private record Held(S3Server server) implements AutoCloseable {
        @Override
        public void close() {
            server.close();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        assumeTrue(
                S3Server.program().isPresent(),
                "no object store is here: tools/s3-server.sh builds the one that these tests use");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == S3Server.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(SPACE)
                .getOrComputeIfAbsent("server", key -> new Held(start()), Held.class)
                .server();
    }

    private static S3Server start() {
        try {
            Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
            return S3Server.start(Files.createTempDirectory(target, "s3-server-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
