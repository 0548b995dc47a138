// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One NameNode and three DataNodes for all classes that a JVM tests, on ports that are free. JUnit's root store
 * wouldn't do: with several forks each class is a run of its own.
 */
final class HdfsClusterExtension implements BeforeAllCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(HdfsClusterExtension.class);

    /** Stopped by JUnit when the last test is over. */
    private record Running(MiniDFSCluster cluster) implements AutoCloseable {

        static Running start() {
            try {
                Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "hdfs-");
                HdfsConfiguration conf = new HdfsConfiguration();
                conf.set(
                        "hadoop.security.key.provider.path",
                        "jceks://file" + folder.resolve("keys.jceks").toAbsolutePath());
                MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf, folder.toFile())
                        .numDataNodes(3)
                        .build();
                cluster.waitActive();
                return new Running(cluster);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            cluster.shutdown(true);
        }
    }

    private static MiniDFSCluster cluster(ExtensionContext context) {
        return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .getOrComputeIfAbsent("cluster", key -> Running.start(), Running.class)
                .cluster();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == MiniDFSCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return cluster(context);
    }
}
