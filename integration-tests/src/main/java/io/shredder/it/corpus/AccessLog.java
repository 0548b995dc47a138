// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** A web server's log in the combined format, of requests for files that exist, by a few thousand clients. */
final class AccessLog {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss +0000", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final List<String> AGENTS = List.of(
            "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
            "Debian APT-HTTP/1.3 (2.6.1)",
            "curl/7.88.1",
            "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)");
    private static final int CLIENTS = 4096;

    private final List<String> paths;
    private final Random random;
    private Instant now;

    /**
     * A server's log.
     *
     * @param paths what is asked for, the first ones most often
     * @param start when it begins; each further file goes on where the last one ended
     */
    AccessLog(List<String> paths, Instant start, Random random) {
        this.paths = paths;
        this.now = start;
        this.random = random;
    }

    /** Appends lines of so many bytes in all, and at most one line's more. */
    void append(Path file, long bytes) throws IOException {
        Files.createDirectories(file.getParent());
        try (BufferedWriter out = new BufferedWriter(
                Files.newBufferedWriter(
                        file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                1 << 20)) {
            for (long left = bytes; left > 0; ) {
                String line = line();
                out.write(line);
                left -= line.length();
            }
        }
    }

    private String line() {
        now = now.plusMillis(random.nextInt(700));
        int client = random.nextInt(CLIENTS);
        String path = paths.get((int) (Math.pow(random.nextDouble(), 3) * paths.size()));
        boolean found = random.nextInt(40) != 0;
        return "10." + client % 16 + "." + client / 16 % 16 + "." + client / 256 + " - - [" + TIME.format(now)
                + "] \"GET /" + path + " HTTP/1.1\" " + (found ? "200 " : "404 ") + (path.hashCode() & 0xffff)
                + " \"-\" \"" + AGENTS.get(client % AGENTS.size()) + "\"\n";
    }
}
