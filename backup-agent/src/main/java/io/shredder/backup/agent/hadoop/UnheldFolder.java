// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A folder of a Hadoop file system that is only looked into, while anybody may hold it. It connects for each look.
 *
 * @param place of the folder, such as {@code hdfs://namenode:8020/keeper}
 */
public record UnheldFolder(URI place) {

    private FileSystem connect() throws IOException {
        return FileSystem.newInstance(place, HadoopFolder.configuration(place));
    }

    /** A small file's bytes; empty if it isn't there. */
    public Optional<ByteBuffer> read(String file) throws IOException {
        try (FileSystem system = connect();
                FSDataInputStream in = system.open(new Path(new Path(place.toString()), file))) {
            return Optional.of(ByteBuffer.wrap(in.readAllBytes()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Names of all in it, but for what a {@link HadoopStorage} has there for itself; empty if it isn't there. */
    public Optional<Set<String>> names() throws IOException {
        try (FileSystem system = connect()) {
            Set<String> names = new HashSet<>();
            for (FileStatus file : system.listStatus(new Path(place.toString()))) {
                names.add(file.getPath().getName());
            }
            names.removeAll(HadoopStorage.OWN);
            return Optional.of(names);
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }
}
