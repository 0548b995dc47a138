// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.manifest;

import io.shredder.chunk.binding.ManifestAttributes;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;

/** Extended attributes of HDFS files, where the NameNode may have them switched off. */
public final class FileXAttrs {

    private FileXAttrs() {}

    /** Sets {@code name}, unless attributes are switched off. */
    public static void set(DistributedFileSystem fs, Path file, String name, byte[] value) throws IOException {
        try {
            fs.setXAttr(file, name, value);
        } catch (RemoteException e) {
            if (!ManifestAttributes.switchedOff(e)) {
                throw e;
            }
        }
    }

    /** Whether the file has attributes, or could have. */
    public static boolean areOn(DistributedFileSystem fs, Path file) throws IOException {
        try {
            fs.getXAttrs(file);
            return true;
        } catch (RemoteException e) {
            if (!ManifestAttributes.switchedOff(e)) {
                throw e;
            }
            return false;
        }
    }
}
