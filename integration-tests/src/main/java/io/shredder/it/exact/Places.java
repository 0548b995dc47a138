// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.nio.file.Path;

/**
 * Where the things of a scenario lie; the same for each of its runs, since a path is an option like any other.
 *
 * @param hdfs its folder on HDFS
 * @param local its local folder
 * @param port of the table that a server keeps
 */
record Places(String hdfs, Path local, int port) {
    String input() {
        return hdfs + "/in";
    }

    String output() {
        return hdfs + "/out";
    }

    String memo() {
        return hdfs + "/memo";
    }

    /** Files that the job is given, on HDFS. */
    String given() {
        return hdfs + "/side";
    }

    /** Files that the job leaves, on HDFS. */
    String left() {
        return hdfs + "/left";
    }

    /** Files that the job is given, on the local disk. */
    Path givenHere() {
        return local.resolve("side");
    }

    /** Files that the job leaves, on the local disk. */
    Path leftHere() {
        return local.resolve("left");
    }

    /** A word with its names filled in. */
    String fill(String word, String inputPaths) {
        return word.replace("${input}", inputPaths)
                .replace("${output}", output())
                .replace("${hdfs}", given())
                .replace("${left}", left())
                .replace("${local}", givenHere().toString())
                .replace("${leftHere}", leftHere().toString())
                .replace("${memo}", memo())
                .replace("${port}", String.valueOf(port));
    }
}
