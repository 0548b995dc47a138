// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Files of which keepers have not all that they should, as far as is known without reading. Safe for any threads. */
final class Lacking {

    private final Map<Integer, Set<String>> byKeeper = new ConcurrentHashMap<>();

    void lacks(int keeper, String file) {
        byKeeper.computeIfAbsent(keeper, each -> ConcurrentHashMap.newKeySet()).add(file);
    }

    void has(int keeper, String file) {
        Set<String> files = byKeeper.get(keeper);
        if (files != null) {
            files.remove(file);
        }
    }

    /** The file is gone. */
    void forget(String file) {
        byKeeper.keySet().forEach(keeper -> has(keeper, file));
    }

    long count(int keeper) {
        return byKeeper.getOrDefault(keeper, Set.of()).size();
    }

    private boolean isLacking(int keeper, String file) {
        return byKeeper.getOrDefault(keeper, Set.of()).contains(file);
    }

    /** The most of these keepers that lack one and the same file. */
    int mostTogether(Collection<Integer> keepers) {
        long most = 0;
        for (int one : keepers) {
            for (String file : byKeeper.getOrDefault(one, Set.of())) {
                most = Math.max(
                        most,
                        keepers.stream().filter(each -> isLacking(each, file)).count());
            }
        }
        return (int) most;
    }
}
