// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.util.Arrays;
import java.util.List;

/** A setting of an upload: an option of the command, and the key of {@code inc-hdfs-default.xml} that it overrides. */
public enum UploadSetting {
    INPUT_FORMAT("inputFormat", "inc-hdfs.input.format"),
    AVERAGE("avg", "inc-hdfs.chunk.average"),
    MIN("min", "inc-hdfs.chunk.min"),
    MAX("max", "inc-hdfs.chunk.max"),
    BLOCK_AVERAGE("blockAvg", "inc-hdfs.block.average"),
    BLOCK_MIN("blockMin", "inc-hdfs.block.min"),
    BLOCK_MAX("blockMax", "inc-hdfs.block.max"),
    DIGEST("digest", "inc-hdfs.digest"),
    BACKEND("backend", "inc-hdfs.backend"),
    THREADS("t", "inc-hdfs.upload.threads"),
    BUFFER("buffer", "inc-hdfs.upload.buffer");

    private final String option;
    private final String key;

    UploadSetting(String option, String key) {
        this.option = option;
        this.key = key;
    }

    /** Without its dash. */
    String option() {
        return option;
    }

    /** In {@code inc-hdfs-default.xml} and {@code inc-hdfs-site.xml}. */
    String key() {
        return key;
    }

    /** All options, each of which takes a value. */
    public static List<String> options() {
        return Arrays.stream(values()).map(UploadSetting::option).toList();
    }
}
