// SPDX-License-Identifier: Apache-2.0
package net.acme.statics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A library's singleton. */
public final class SeenWords {
    private static SeenWords instance;

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private SeenWords() {}

    static synchronized SeenWords instance() {
        if (instance == null) {
            instance = new SeenWords();
        }
        return instance;
    }

    boolean isNew(String word) {
        return seen.add(word);
    }
}
