// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

/** What the entries of a memo file are: {@code docs/formats/memo.md}. */
public enum MemoKind {
    /** Map output of chunks: a segment for each reduce partition. */
    LEAVES(0, 'g'),
    /** Contraction nodes of one reduce partition. */
    NODES(1, 'n'),
    /** The part file of one reduce task. */
    PARTS(2, 'o');

    private final int code;
    private final char letter;

    MemoKind(int code, char letter) {
        this.code = code;
        this.letter = letter;
    }

    /** The name of a memo file of this kind: of group, or of partition, {@code number} of a job. */
    public String fileName(String job, int number) {
        return String.format("%s-%c%05d%s", job, letter, number, MemoStore.SUFFIX);
    }

    int code() {
        return code;
    }

    static MemoKind ofCode(int code) {
        return values()[code];
    }
}
