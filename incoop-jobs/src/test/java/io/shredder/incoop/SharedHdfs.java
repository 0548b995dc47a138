// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One HDFS for all classes that a JVM tests, started by the first that needs it. JUnit's root store wouldn't do: with
 * several forks each class is a run of its own. It is given to whatever takes a {@link FileSystem}; a class that can't
 * bear what others have left in {@code /user}, where memos are kept, empties that first.
 */
public final class SharedHdfs implements BeforeAllCallback, ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedHdfs.class);

    /** A running HDFS and its folder, which go when the run ends. */
    record Running(Path folder, MiniDFSCluster cluster) implements AutoCloseable {

        static Running start() {
            try {
                Path folder = Files.createTempDirectory("incoop-hdfs");
                Configuration conf = new Configuration();
                conf.setLong("dfs.blocksize", 1 << 20);
                return new Running(
                        folder,
                        new MiniDFSCluster.Builder(conf, new File(folder.toFile(), "dfs"))
                                .numDataNodes(1)
                                .build());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        FileSystem fs() throws IOException {
            return cluster.getFileSystem();
        }

        @Override
        public void close() {
            cluster.shutdown();
            FileUtil.fullyDelete(folder.toFile());
        }
    }

    private static Running running(ExtensionContext context) {
        return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == FileSystem.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        try {
            return running(context).fs();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        Running running = running(context);
        LocalJobs.fs = running.fs();
        LocalJobs.folder = running.folder().toFile();
    }
}
