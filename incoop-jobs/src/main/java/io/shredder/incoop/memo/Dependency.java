// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

/**
 * Something beside its input that a result was made of, and how it stood then. The result may be used again while it
 * stands so: {@code docs/formats/memo.md}, "Dependencies".
 *
 * @param kind what it is
 * @param name the file's path, qualified, the configuration's key, or what a program asked for
 * @param state how it stood
 */
public record Dependency(Kind kind, String name, String state) {

    /** What a result may depend on beside its input and the job's identity. */
    public enum Kind {
        /** A file or folder of HDFS. */
        HDFS(0),
        /** A file or folder of the machine that has made the result. */
        LOCAL(1),
        /** The value of a configuration key that does not count for the job's identity. */
        CONFIGURATION(2),
        /** What a program that the job started has asked for of the machine that has made the result. */
        PROGRAM(3),
        /**
         * The statics of classes, separated by commas, as the program that submits a job has left them; only for jobs
         * in the client's process.
         */
        STATICS(4),
        /** What there is at a place of the machine that has made the result. */
        LOCAL_PRESENCE(5);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Whether only a machine like the result's maker can tell: on a cluster a node, not the client's. */
        public boolean isOfMachine() {
            return this == LOCAL || this == LOCAL_PRESENCE || this == PROGRAM;
        }

        int code() {
            return code;
        }

        static Kind ofCode(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("unknown kind of dependency " + code);
        }
    }
}
