// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import io.shredder.backup.server.guest.PlainText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;

/** What a machine has written to its first serial port, of which the end is looked at. */
final class SerialConsole {

    private static final int END_BYTES = 1 << 20;
    private static final Pattern STEERING = Pattern.compile("\u001b(\\[[0-9;?]*[ -/]*[@-~]|[@-Z\\\\-_c])");

    private final Path file;

    SerialConsole(Path file) {
        this.file = file;
    }

    /** The last part of it, without what steers a terminal. */
    String text() throws IOException {
        if (!Files.exists(file)) {
            return "";
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long from = Math.max(0, channel.size() - END_BYTES);
            ByteBuffer end = ByteBuffer.allocate((int) (channel.size() - from));
            for (int count = 0; end.hasRemaining() && count >= 0; ) {
                count = channel.read(end, from + end.position());
            }
            String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
            return STEERING.matcher(text).replaceAll("");
        }
    }

    /** The last lines that say something, which can't steer a terminal. */
    List<String> lastLines(int most) throws IOException {
        List<String> lines = text().lines().filter(line -> !line.isBlank()).toList();
        return lines.subList(Math.max(0, lines.size() - most), lines.size()).stream()
                .map(PlainText::of)
                .toList();
    }
}
