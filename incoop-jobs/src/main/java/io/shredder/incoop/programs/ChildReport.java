// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What {@code child-watch} has written so far about one program and its descendants:
 * {@code docs/formats/child-report.md}.
 *
 * @param process the id of the watching process, if it has begun
 * @param files what was asked for
 * @param plainReason what only a plain run may do, if that was tried; completes "a program that it started "
 * @param hasEnded whether all its processes have ended, so that nothing more comes
 */
record ChildReport(OptionalLong process, List<SeenFile> files, Optional<String> plainReason, boolean hasEnded) {

    private static final String PLAIN = "plain ";
    private static final String START = "start ";

    /** An empty one if there is no such file. */
    static ChildReport read(Path report) throws IOException {
        if (!Files.exists(report)) {
            return new ChildReport(OptionalLong.empty(), List.of(), Optional.empty(), false);
        }
        return parse(Files.readString(report, StandardCharsets.US_ASCII));
    }

    /** @throws IOException if a line is none of the format's */
    static ChildReport parse(String text) throws IOException {
        OptionalLong process = OptionalLong.empty();
        List<SeenFile> files = new ArrayList<>();
        Optional<String> plain = Optional.empty();
        boolean ended = false;
        // A last line without its end is still being written.
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            if (line.startsWith(START)) {
                process = OptionalLong.of(Long.parseLong(line.substring(START.length())));
            } else if (line.startsWith(PLAIN)) {
                plain = plain.or(() -> Optional.of(unescapedOrRaw(line.substring(PLAIN.length()))));
            } else if (line.equals("end")) {
                ended = true;
            } else {
                files.add(file(line));
            }
        }
        return new ChildReport(process, List.copyOf(files), plain, ended);
    }

    private static SeenFile file(String line) throws IOException {
        String[] parts = line.split(" ", -1);
        if (parts.length != 3) {
            throw new IOException("the report on a program holds the line '" + line + "', which is none");
        }
        try {
            return new SeenFile(
                    SeenFile.How.valueOf(parts[0].toUpperCase(Locale.ROOT)), Path.of(unescaped(parts[2])), parts[1]);
        } catch (InvalidPathException e) {
            throw new IOException(
                    "a program asked for " + parts[2] + ", a path that this JVM's character set lacks", e);
        } catch (IllegalArgumentException e) {
            throw new IOException("the report on a program holds the line '" + line + "', which is none", e);
        }
    }

    private static String unescapedOrRaw(String text) {
        try {
            return unescaped(text);
        } catch (IOException e) {
            return text;
        }
    }

    /** Reverses what {@code report.c} does to bytes that are not printable. */
    private static String unescaped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("a program asked for " + text + ", a path that is not UTF-8", e);
        }
    }
}
