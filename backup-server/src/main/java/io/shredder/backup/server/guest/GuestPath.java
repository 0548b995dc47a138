// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A path in one file system of an image.
 *
 * @param volume as {@link VolumeFacts#name}
 * @param path in it, with a slash before each name
 */
public record GuestPath(String volume, String path) {

    private static final String DEVICE_PREFIX = "/dev/";

    /**
     * What is meant by the words of a command.
     *
     * @param volume as it was named, {@code /dev/sda1} or {@code sda1}; empty for none
     * @param text a path, or {@code VOLUME:PATH}
     * @throws IOException if it may be meant in several volumes, or in none
     */
    public static GuestPath of(Optional<String> volume, String text, List<VolumeFacts> volumes) throws IOException {
        if (volume.isPresent()) {
            return new GuestPath(shortName(volume.get()), rooted(text));
        }
        int colon = text.indexOf(':');
        if (!text.startsWith("/") && colon > 0) {
            return new GuestPath(text.substring(0, colon), rooted(text.substring(colon + 1)));
        }
        List<VolumeFacts> readable =
                volumes.stream().filter(VolumeFacts::readable).toList();
        if (readable.size() == 1) {
            return new GuestPath(readable.get(0).name(), rooted(text));
        }
        return mounted(rooted(text), readable);
    }

    /** Several file systems are taken for what the /etc/fstab of one of them makes of them. */
    private static GuestPath mounted(String path, List<VolumeFacts> readable) throws IOException {
        Optional<VolumeFacts> found = readable.stream()
                .filter(volume -> volume.mount().isPresent()
                        && isBelow(path, volume.mount().get()))
                .max(Comparator.comparingInt(
                        volume -> volume.mount().orElseThrow().length()));
        if (found.isEmpty()) {
            String names = readable.stream().map(VolumeFacts::name).collect(Collectors.joining(", "));
            throw new IOException(
                    names.isEmpty()
                            ? "no file system here can be read: 'shredder-backup files NAME' lists what there is"
                            : "which file system is meant? Name one of " + names + ", as "
                                    + readable.get(0).name() + ":" + path + " or with --fs");
        }
        String mount = found.get().mount().orElseThrow();
        String below = mount.equals("/") ? path : path.substring(mount.length());
        return new GuestPath(found.get().name(), rooted(below));
    }

    private static boolean isBelow(String path, String mount) {
        return mount.equals("/") || path.equals(mount) || path.startsWith(mount + "/");
    }

    private static String rooted(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    private static String shortName(String volume) {
        return volume.startsWith(DEVICE_PREFIX) ? volume.substring(DEVICE_PREFIX.length()) : volume;
    }
}
