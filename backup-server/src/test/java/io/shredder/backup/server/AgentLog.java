// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Follows the log of an agent's process: how many clients came and went since it was started. One thread. */
final class AgentLog {

    private static final String CONNECTED = " connected from ";
    private static final String GONE = " is gone";

    private final Path file;
    private long read;
    private int connected;
    private int gone;

    AgentLog(Path file) {
        this.file = file;
    }

    /** Another process writes from now on. */
    void begin() throws IOException {
        read = Files.exists(file) ? Files.size(file) : 0;
        connected = 0;
        gone = 0;
    }

    int connected() throws IOException {
        follow();
        return connected;
    }

    int gone() throws IOException {
        follow();
        return gone;
    }

    /** What has not been read yet, for messages. */
    String rest() throws IOException {
        return Files.exists(file) ? read(read) : "no log";
    }

    private void follow() throws IOException {
        if (!Files.exists(file) || Files.size(file) == read) {
            return;
        }
        String text = read(read);
        int end = text.lastIndexOf('\n') + 1;
        for (String line : text.substring(0, end).split("\n")) {
            connected += line.contains(CONNECTED) ? 1 : 0;
            gone += line.contains(GONE) ? 1 : 0;
        }
        read += text.substring(0, end).getBytes(StandardCharsets.ISO_8859_1).length;
    }

    private String read(long from) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(from);
            byte[] bytes = new byte[(int) (in.length() - from)];
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }
}
