// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of a file, as keepers name it. Of a name the highest version counts.
 *
 * @param name as the storage's users have it
 * @param epoch of the writer, at least 1
 * @param counter of the writer's versions, at least 1
 */
public record StoredVersion(String name, int epoch, long counter, Kind kind) implements Comparable<StoredVersion> {

    /** What lies at the keepers. */
    public enum Kind {
        /** Shards that were appended to. */
        GROWING(1),
        /** Shards of a file that was whole when it got its name. */
        CODED(2),
        /** The whole file, at each keeper. */
        COPY(3),
        /** A mark that the file was deleted. */
        GONE(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** As headers have it. */
        public int code() {
            return code;
        }

        public boolean isCoded() {
            return this == GROWING || this == CODED;
        }

        private String suffix() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The folder, at a keeper, of all versions. */
    public static final String FOLDER = "files";

    /** Behind the name of one that is not whole yet. */
    public static final String PART = ".part";

    private static final Pattern FORM =
            Pattern.compile(FOLDER + "/(.+)@([0-9a-f]{8})\\.([0-9a-f]{16})\\.(growing|coded|copy|gone)");

    private static final Comparator<StoredVersion> BY_AGE = Comparator.comparingInt(StoredVersion::epoch)
            .thenComparingLong(StoredVersion::counter)
            .thenComparing(StoredVersion::kind);

    /** The version that a keeper's file is; empty if it is none. */
    public static Optional<StoredVersion> parse(String file) {
        Matcher matcher = FORM.matcher(file);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Optional.of(new StoredVersion(
                matcher.group(1),
                Integer.parseUnsignedInt(matcher.group(2), 16),
                Long.parseUnsignedLong(matcher.group(3), 16),
                Kind.valueOf(matcher.group(4).toUpperCase(Locale.ROOT))));
    }

    /** Its name at each keeper. */
    public String file() {
        return String.format(Locale.ROOT, "%s/%s@%08x.%016x.%s", FOLDER, name, epoch, counter, kind.suffix());
    }

    /**
     * Older ones first. A writer gives a number to one version, of one kind; a keeper that says another kind of it says
     * another version, which is not the one that the others have.
     */
    @Override
    public int compareTo(StoredVersion other) {
        return BY_AGE.compare(this, other);
    }

    @Override
    public String toString() {
        return name + "@" + epoch + "." + counter;
    }
}
