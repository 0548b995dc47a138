// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/** Extended attributes of HDFS files, where the NameNode may have them switched off. */
public final class FileXAttrs {

    /** The NameNode tells so only in its message, which names this key. */
    private static final String SWITCH_KEY = "dfs.namenode.xattrs.enabled";

    private FileXAttrs() {}

    /** Sets {@code name}, unless attributes are switched off. */
    public static void set(DistributedFileSystem fs, Path file, String name, byte[] value) throws IOException {
        try {
            fs.setXAttr(file, name, value);
        } catch (RemoteException e) {
            throwUnlessSwitchedOff(e);
        }
    }

    /** The value of {@code name}; empty if the file has none or attributes are switched off. */
    static Optional<byte[]> get(DistributedFileSystem fs, Path file, String name) throws IOException {
        try {
            return Optional.ofNullable(fs.getXAttrs(file).get(name));
        } catch (RemoteException e) {
            throwUnlessSwitchedOff(e);
            return Optional.empty();
        }
    }

    private static void throwUnlessSwitchedOff(RemoteException e) throws IOException {
        if (!String.valueOf(e.getMessage()).contains(SWITCH_KEY)) {
            throw e;
        }
    }
}
