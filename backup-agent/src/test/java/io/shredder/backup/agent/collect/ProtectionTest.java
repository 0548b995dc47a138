// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A file that can't be locked anew, since it goes in that moment or for good, keeps no other from it. */
class ProtectionTest {

    private static final int FILES = 1000;

    private final Set<String> locked = ConcurrentHashMap.newKeySet();
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final Set<String> tried = ConcurrentHashMap.newKeySet();
    private boolean failsTwice;

    private Storage storage() {
        List<StoredFile> files = IntStream.range(0, FILES)
                .mapToObj(number -> new StoredFile("f" + number, 1))
                .toList();
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, call, args) -> {
                    switch (call.getName()) {
                        case "protects":
                            return true;
                        case "list":
                            return new ArrayList<>(files);
                        case "protect":
                            protect((String) args[0]);
                            return null;
                        default:
                            throw new UnsupportedOperationException(call.getName());
                    }
                });
    }

    private void protect(String file) throws IOException {
        if (failing.contains(file) && (tried.add(file) || failsTwice)) {
            throw new IOException("can't lock " + file);
        }
        locked.add(file);
    }

    private void protectAll() throws IOException {
        Protection protection = new Protection(storage());
        while (!protection.isDone()) {
            protection.step();
        }
    }

    @Test
    void whatFailsOnceIsTriedAgainBehindAllOthers() throws IOException {
        failing.addAll(List.of("f0", "f500", "f" + (FILES - 1)));
        protectAll();
        assertThat(locked).hasSize(FILES);
    }

    @Test
    void whatFailsTwiceIsToldOnceAllOthersAreLocked() {
        failsTwice = true;
        failing.addAll(List.of("f0", "f500"));
        assertThatThrownBy(this::protectAll)
                .hasMessageContaining("the lock of 2 files")
                .hasMessageContaining("can't lock f");
        assertThat(locked).hasSize(FILES - 2);
    }

    @Test
    void aStorageThatFailsIsGivenUp() {
        failsTwice = true;
        IntStream.range(0, FILES).forEach(number -> failing.add("f" + number));
        assertThatThrownBy(this::protectAll).hasMessageStartingWith("can't lock f");
        assertThat(tried).hasSizeLessThan(FILES);
    }
}
