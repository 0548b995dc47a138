// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** A folder that is open in a hold of its own, and whose files tell in which hold they were written, as objects do. */
public final class HeldStorage {

    private HeldStorage() {}

    /**
     * Such a folder.
     *
     * @param writers of files, by name; stands for the metadata of objects
     * @param fails whether nothing is published
     */
    public static Storage of(Path root, UUID hold, Map<String, UUID> writers, BooleanSupplier fails) {
        LocalStorage files = new LocalStorage(root);
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, call, args) -> {
                    switch (call.getName()) {
                        case "hold":
                            return Optional.of(hold);
                        case "writer":
                            return Optional.ofNullable(writers.get((String) args[0]));
                        case "publish":
                            if (fails.getAsBoolean()) {
                                throw new IOException("no answer");
                            }
                            writers.put((String) args[1], hold);
                            break;
                        default:
                            break;
                    }
                    try {
                        return call.invoke(files, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
