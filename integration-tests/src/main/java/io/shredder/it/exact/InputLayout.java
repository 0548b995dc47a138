// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.cases.InputKind;
import io.shredder.it.exact.cases.JobCase;
import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Of which files an input consists, and how a program is told of them. */
enum InputLayout {
    ONE("a", ""),
    THREE("a,b,c", ""),
    EMPTY_FILES("a,empty-1,empty-2", ""),
    NO_MANIFEST("a,unchunked", ""),
    FOLDER_AND_FILE("folder/a,b", "folder,b"),
    SAME_TWICE("a", ",a"),
    TWO_FOLDERS("left/a,right/a", "left,right");

    private final String files;
    private final String paths;

    /** Names in the input's folder and paths below it, parted by commas. */
    InputLayout(String files, String paths) {
        this.files = files;
        this.paths = paths;
    }

    /** The one that a case asks for, or one or three files. */
    static InputLayout of(JobCase job, Random random) {
        boolean several = random.nextBoolean();
        if (job.kind() == InputKind.SORTED_SEQUENCES) {
            return TWO_FOLDERS;
        }
        if (job.is(Trait.EMPTY_FILES)) {
            return EMPTY_FILES;
        }
        if (job.is(Trait.NO_MANIFEST)) {
            return NO_MANIFEST;
        }
        if (job.is(Trait.FOLDER_AND_FILE)) {
            return FOLDER_AND_FILE;
        }
        if (job.is(Trait.SAME_TWICE)) {
            return SAME_TWICE;
        }
        return several && !job.is(Trait.ONE_MAP) ? THREE : ONE;
    }

    /** Names in the input's folder. */
    List<String> files() {
        return List.of(files.split(",", -1));
    }

    /** How many records a file gets of so many of a whole input. */
    int records(String file, int all) {
        return file.startsWith("empty")
                ? 0
                : all
                        / (int) files().stream()
                                .filter(name -> !name.startsWith("empty"))
                                .count();
    }

    boolean hasManifest(String file) {
        return !file.equals("unchunked");
    }

    /** The input paths, parted by commas, of an input in a folder. */
    String paths(String folder) {
        return Stream.of(paths.split(",", -1))
                .map(path -> path.isEmpty() ? folder : folder + "/" + path)
                .collect(Collectors.joining(","));
    }
}
