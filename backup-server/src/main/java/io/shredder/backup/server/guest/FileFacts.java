// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one file of an image. Nothing of it is trusted: the path may be any text.
 *
 * @param path from the file system's root, with a slash before each name
 * @param mode the twelve bits of permissions
 * @param size bytes; 0 of what has none
 * @param names how many names the file has
 * @param target of a link as it is written; of a hard link the path of the name that came first
 */
public record FileFacts(
        String path,
        FileKind kind,
        Ownership owner,
        int mode,
        long size,
        Instant modified,
        long names,
        Optional<String> target) {

    /** User and group by their numbers in the image. */
    public record Ownership(long uid, long gid) {}

    static FileFacts of(FlatJson json) throws IOException {
        FileKind kind = FileKind.parse(json.text("type"));
        long size = json.number("size");
        if (size < 0) {
            throw new IOException("the reader of files said a negative size");
        }
        Optional<String> target = json.has("target") ? Optional.of(json.text("target")) : Optional.empty();
        if ((kind == FileKind.LINK || kind == FileKind.HARD_LINK) && target.isEmpty()) {
            throw new IOException("the reader of files said no target of a link");
        }
        Ownership owner = new Ownership(json.number("uid"), json.number("gid"));
        int mode = (int) json.number("mode") & 07777;
        return new FileFacts(json.text("path"), kind, owner, mode, size, modified(json), json.number("names"), target);
    }

    private static Instant modified(FlatJson json) throws IOException {
        try {
            return Instant.ofEpochSecond(json.number("seconds"), json.number("nanoseconds"));
        } catch (DateTimeException | ArithmeticException e) {
            throw new IOException("the reader of files said a time that there is not", e);
        }
    }

    /** For a line of JSON. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("path", path);
        json.put("type", kind.word());
        json.put("mode", String.format(Locale.ROOT, "%04o", mode));
        json.put("uid", owner.uid());
        json.put("gid", owner.gid());
        json.put("size", size);
        json.put("modified", modified.toString());
        target.ifPresent(text -> json.put("target", text));
        return json;
    }

    /** A line as {@code ls -l} has it, whose names can't steer a terminal. */
    public String line() {
        String arrow = kind == FileKind.LINK ? " -> " + PlainText.of(target.orElse("")) : "";
        return String.format(
                Locale.ROOT,
                "%c%s %5d %5d %12d %s %s%s",
                kind.letter(),
                PlainText.permissions(mode),
                owner.uid(),
                owner.gid(),
                size,
                Instant.ofEpochSecond(modified.getEpochSecond()),
                PlainText.of(path),
                arrow);
    }
}
