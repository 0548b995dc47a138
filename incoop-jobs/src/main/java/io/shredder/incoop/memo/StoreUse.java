// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * What a memo store holds for one job identity.
 *
 * @param identity in hexadecimal
 * @param memoFiles published files
 * @param bytes in these files, of one replica
 * @param newestMs when the newest of them was written, in milliseconds since 1970 by the file system's clock; 0 without files
 */
public record StoreUse(String identity, long memoFiles, long bytes, long newestMs) {

    /** One for each identity, in the order of their names; empty if there is no store. */
    public static List<StoreUse> of(Configuration conf, Path root) throws IOException {
        FileSystem fs = root.getFileSystem(conf);
        List<StoreUse> uses = new ArrayList<>();
        for (FileStatus folder : list(fs, root)) {
            if (folder.isDirectory() && MemoStore.isIdentity(folder.getPath().getName())) {
                uses.add(of(folder.getPath().getName(), list(fs, folder.getPath())));
            }
        }
        return uses;
    }

    private static StoreUse of(String identity, FileStatus[] files) {
        List<FileStatus> memos = Arrays.stream(files)
                .filter(file -> MemoStore.isMemoFile(file.getPath().getName()))
                .toList();
        return new StoreUse(
                identity,
                memos.size(),
                memos.stream().mapToLong(FileStatus::getLen).sum(),
                memos.stream().mapToLong(FileStatus::getModificationTime).max().orElse(0));
    }

    private static FileStatus[] list(FileSystem fs, Path folder) throws IOException {
        try {
            FileStatus[] children = fs.listStatus(folder);
            Arrays.sort(children);
            return children;
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }
}
