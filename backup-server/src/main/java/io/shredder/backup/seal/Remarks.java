// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Remarks on a snapshot, sealed with its summary: what its owner wrote on it, and what went wrong when the image was
 * read. Its bytes are described in {@code docs/formats/seal.md}; the limits of the parts keep them within {@link
 * #MAX_BYTES}.
 *
 * @param tags at most {@link #MAX_TAGS}, all different
 * @param note a line of text
 * @param skipped ranges that could not be read and are zeros, ascending, with other bytes between them
 * @param change how the image was seen to change while it was read
 */
public record Remarks(List<String> tags, Optional<String> note, List<SkippedRange> skipped, Optional<String> change) {

    /** The longest encoded form. */
    public static final int MAX_BYTES = 3000;

    /** The most tags. */
    public static final int MAX_TAGS = 8;

    /** The longest note, in bytes of UTF-8. */
    public static final int MAX_NOTE_BYTES = 512;

    /** The most ranges. */
    public static final int MAX_SKIPPED = 128;

    /** The longest description of a change, in bytes of UTF-8. */
    public static final int MAX_CHANGE_BYTES = 128;

    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:=/+@-]{0,31}");
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]");
    private static final Remarks NONE = new Remarks(List.of(), Optional.empty(), List.of(), Optional.empty());

    /** Types of fields; they come in this order. */
    private static final int TAG_FIELD = 1;

    private static final int NOTE_FIELD = 2;
    private static final int SKIPPED_FIELD = 3;
    private static final int CHANGE_FIELD = 4;
    private static final int RANGE_BYTES = 2 * Long.BYTES;

    /**
     * Refuses what is above a limit.
     *
     * @throws IllegalArgumentException naming what
     */
    public Remarks {
        tags = List.copyOf(tags);
        skipped = List.copyOf(skipped);
        tags.forEach(Remarks::checkTag);
        if (tags.size() > MAX_TAGS || new HashSet<>(tags).size() != tags.size()) {
            throw new IllegalArgumentException("at most " + MAX_TAGS + " tags, all different, fit a snapshot: " + tags);
        }
        note.ifPresent(text -> checkText("note", text, MAX_NOTE_BYTES));
        change.ifPresent(text -> checkText("change", text, MAX_CHANGE_BYTES));
        if (skipped.size() > MAX_SKIPPED) {
            throw new IllegalArgumentException(skipped.size() + " unreadable ranges are more than the " + MAX_SKIPPED
                    + " that a snapshot can name");
        }
        for (int i = 1; i < skipped.size(); i++) {
            if (skipped.get(i).offset() <= skipped.get(i - 1).end()) {
                throw new IllegalArgumentException(
                        "unreadable ranges out of order: " + skipped.get(i - 1) + ", " + skipped.get(i));
            }
        }
    }

    private static void checkTag(String tag) {
        if (!TAG.matcher(tag).matches()) {
            throw new IllegalArgumentException("tag '" + CONTROL.matcher(tag).replaceAll("?")
                    + "' is not allowed: use 1 to 32 letters, digits and '._:=/+@-', a letter or digit first");
        }
    }

    private static void checkText(String field, String text, int maxBytes) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > maxBytes) {
            throw new IllegalArgumentException(
                    "a " + field + " of " + bytes + " bytes: use 1 to " + maxBytes + " bytes of UTF-8");
        } else if (CONTROL.matcher(text).find()) {
            throw new IllegalArgumentException("a " + field + " with control characters: use one line of plain text");
        }
    }

    /** Nothing to remark. */
    public static Remarks none() {
        return NONE;
    }

    /** What an owner wrote, of an image that was read without a fault. */
    public static Remarks of(List<String> tags, Optional<String> note) {
        return new Remarks(tags, note, List.of(), Optional.empty());
    }

    /** The same with what was found when the image was read. */
    public Remarks withFindings(List<SkippedRange> skippedRanges, Optional<String> changed) {
        return new Remarks(tags, note, skippedRanges, changed);
    }

    /** Whether there is nothing to remark. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /** How many bytes of the image are zeros because they could not be read. */
    public long skippedBytes() {
        return skipped.stream().mapToLong(SkippedRange::bytes).sum();
    }

    /** Encodes them; nothing to remark is no bytes. */
    public byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
        tags.forEach(tag -> writeText(TAG_FIELD, tag, bytes));
        note.ifPresent(text -> writeText(NOTE_FIELD, text, bytes));
        if (!skipped.isEmpty()) {
            bytes.put((byte) SKIPPED_FIELD).putShort((short) (skipped.size() * RANGE_BYTES));
            skipped.forEach(range -> bytes.putLong(range.offset()).putLong(range.bytes()));
        }
        change.ifPresent(text -> writeText(CHANGE_FIELD, text, bytes));
        byte[] encoded = new byte[bytes.flip().remaining()];
        bytes.get(encoded);
        return encoded;
    }

    private static void writeText(int type, String text, ByteBuffer bytes) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        bytes.put((byte) type).putShort((short) utf8.length).put(utf8);
    }

    /** Reads all bytes that are left: exactly what {@link #encode} writes, all else is refused. */
    public static Remarks read(BodyReader in) throws DamagedDataException {
        if (in.remaining() > MAX_BYTES) {
            throw in.damaged("remarks of " + in.remaining() + " bytes");
        }
        List<String> tags = new ArrayList<>();
        Optional<String> note = Optional.empty();
        List<SkippedRange> skipped = List.of();
        Optional<String> change = Optional.empty();
        try {
            for (int last = 0; in.remaining() > 0; ) {
                int type = in.u8("type of a remark");
                if (type < last || (type == last && type != TAG_FIELD)) {
                    throw in.damaged("a remark of type " + type + " behind one of type " + last);
                }
                switch (type) {
                    case TAG_FIELD -> tags.add(in.text("tag"));
                    case NOTE_FIELD -> note = Optional.of(in.text("note"));
                    case SKIPPED_FIELD -> skipped = ranges(in);
                    case CHANGE_FIELD -> change = Optional.of(in.text("change"));
                    default -> throw in.damaged("an unknown remark of type " + type + ": a newer program wrote it");
                }
                last = type;
            }
            return new Remarks(tags, note, skipped, change);
        } catch (IllegalArgumentException e) {
            throw in.damaged(String.valueOf(e.getMessage()));
        }
    }

    private static List<SkippedRange> ranges(BodyReader in) throws DamagedDataException {
        int bytes = in.u16("length of the unreadable ranges");
        if (bytes == 0 || bytes % RANGE_BYTES != 0 || bytes > MAX_SKIPPED * RANGE_BYTES) {
            throw in.damaged("unreadable ranges of " + bytes + " bytes");
        }
        List<SkippedRange> ranges = new ArrayList<>();
        for (int i = 0; i < bytes / RANGE_BYTES; i++) {
            ranges.add(
                    new SkippedRange(in.u63("offset of an unreadable range"), in.u63("length of an unreadable range")));
        }
        return ranges;
    }
}
