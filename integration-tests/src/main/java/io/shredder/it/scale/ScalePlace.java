// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.process.Children;
import java.nio.file.Path;

/**
 * Where it is measured.
 *
 * @param root the checkout, built, or a kit
 * @param work folder for images and repositories: a disk's, or {@code /dev/shm}
 * @param peers where {@code tools/peers/backup.sh} left other programs
 * @param mayUseTc whether the loopback device may be held to a rate
 * @param at commit, day and machine, for each row
 * @param children who starts programs
 */
public record ScalePlace(Path root, Path work, Path peers, boolean mayUseTc, String at, Children children) {}
