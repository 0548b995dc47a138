// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import io.shredder.backup.agent.file.CheckedText;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.DamagedDataException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that says which keeper a folder is. While nothing was ever replaced it is written in version 1, else in
 * version 2.
 *
 * @param place the keeper's number
 * @param whole whether it has all that it should have; else it is a new folder that is still being filled
 * @param replacements that it knows; of its own place it is the one by which the folder came
 */
public record KeeperIdentity(Dispersal dispersal, int place, boolean whole, Replacements replacements) {

    private static final String MAGIC = "shredder-keeper ";
    private static final int NEWEST = 2;

    /** A keeper that the store has had from its beginning. */
    public static KeeperIdentity first(Dispersal dispersal, int place) {
        return new KeeperIdentity(dispersal, place, true, Replacements.NONE);
    }

    /** The epoch in which this folder took its place; 0 if it is the first there. */
    public int since() {
        return replacements.epochOf(place);
    }

    /** The same, and it has all that it should have. */
    public KeeperIdentity filled() {
        return new KeeperIdentity(dispersal, place, true, replacements);
    }

    /** The same, told of more. */
    public KeeperIdentity told(Replacements more) {
        return new KeeperIdentity(dispersal, place, whole, replacements.and(more));
    }

    private String text() {
        boolean plain = replacements.places().isEmpty();
        return MAGIC + (plain ? 1 : NEWEST) + "\nstore " + dispersal.store() + "\ndata " + dispersal.data()
                + "\nparity " + dispersal.parity() + "\nkeeper " + place + "\n"
                + (plain ? "" : "state " + (whole ? "whole" : "rebuilding") + "\n" + replacements.lines());
    }

    /** As it is on disk. */
    public byte[] encoded() {
        return CheckedText.encoded(text());
    }

    /** As messages have it. */
    @Override
    public String toString() {
        return text().strip().replace("\n", ", ");
    }

    /**
     * Reads one.
     *
     * @param file for messages
     * @throws OtherVersionException if the version is unknown
     * @throws DamagedDataException if it is none, with the place in the file
     */
    public static KeeperIdentity decoded(String file, byte[] bytes) throws DamagedDataException {
        Lines lines = new Lines(file, CheckedText.decoded(file, bytes));
        int version = Integer.parseInt(
                lines.next(MAGIC + "(\\d{1,9})", "it is no keeper's file").group(1));
        if (version < 1 || version > NEWEST) {
            throw new OtherVersionException(file, MAGIC.length(), version, NEWEST);
        }
        UUID store = UUID.fromString(lines.next("store ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", "no store")
                .group(1));
        int data = lines.number("data");
        int parity = lines.number("parity");
        Dispersal dispersal;
        try {
            dispersal = new Dispersal(store, data, parity);
        } catch (IllegalArgumentException e) {
            throw lines.damaged(String.valueOf(e.getMessage()));
        }
        int place = lines.place(dispersal);
        boolean whole = version == 1
                || lines.next("state (whole|rebuilding)", "no state").group(1).equals("whole");
        Replacements replacements = version == 1 ? Replacements.NONE : lines.replacements(dispersal);
        lines.end();
        return new KeeperIdentity(dispersal, place, whole, replacements);
    }

    /** Lines, of which each must have a form. */
    private static final class Lines {

        private final String file;
        private final String text;
        private int last;
        private int at;

        Lines(String file, String text) {
            this.file = file;
            this.text = text;
        }

        DamagedDataException damaged(String problem) {
            return new DamagedDataException(file, last, problem);
        }

        Matcher next(String form, String problem) throws DamagedDataException {
            last = at;
            int end = text.indexOf('\n', at);
            Matcher matcher = Pattern.compile(form).matcher(end < 0 ? "" : text.substring(at, end));
            if (!matcher.matches()) {
                throw damaged(problem + " stands there");
            }
            at = end + 1;
            return matcher;
        }

        int number(String key) throws DamagedDataException {
            return Integer.parseInt(
                    next(key + " (0|[1-9]\\d{0,8})", "no " + key).group(1));
        }

        int place(Dispersal dispersal) throws DamagedDataException {
            int place = number("keeper");
            if (place >= dispersal.keepers()) {
                throw damaged("there are " + dispersal.keepers() + " keepers");
            }
            return place;
        }

        Replacements replacements(Dispersal dispersal) throws DamagedDataException {
            Replacements all = Replacements.NONE;
            int before = -1;
            while (at < text.length()) {
                Matcher line = next("replaced (0|[1-9]\\d{0,2}) ([1-9]\\d{0,8}) ([-:TZ\\d]{20})", "no replacement");
                int place = Integer.parseInt(line.group(1));
                if (place <= before || place >= dispersal.keepers()) {
                    throw damaged("it is the wrong place's turn");
                }
                try {
                    all = all.with(
                            place,
                            new Replacements.Last(Integer.parseInt(line.group(2)), Instant.parse(line.group(3))));
                } catch (DateTimeException e) {
                    throw damaged("it has no time");
                }
                before = place;
            }
            if (all.places().isEmpty()) {
                throw damaged("no replacement follows");
            }
            return all;
        }

        void end() throws DamagedDataException {
            if (at < text.length()) {
                last = at;
                throw damaged("more lines follow than there should be");
            }
        }
    }
}
