// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lines that an agent says, each once. It may say them for ever, so only the first are kept, and others counted. */
public final class FewLines {

    private static final int MOST_LINES = 100_000;
    private static final long MOST_CHARACTERS = 16 << 20;

    private final Set<String> kept = new LinkedHashSet<>();
    private long characters;
    private long others;

    /** Keeps a line, or counts it. */
    public void add(String line) {
        if (kept.contains(line)) {
            return;
        } else if (kept.size() == MOST_LINES || characters + line.length() > MOST_CHARACTERS) {
            others++;
        } else {
            kept.add(line);
            characters += line.length();
        }
    }

    /** Those that are kept, in their order, and a line that counts the others, if there are any. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(kept);
        if (others > 0) {
            lines.add("and " + others + " more lines, which are too many to keep");
        }
        return lines;
    }
}
