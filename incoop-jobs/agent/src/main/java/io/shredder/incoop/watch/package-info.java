// SPDX-License-Identifier: Apache-2.0
/**
 * Sees what a job's code asks for beyond its input. {@link io.shredder.incoop.watch.Agent} puts calls of {@link
 * io.shredder.incoop.watch.JvmWatch} into the few classes of the JDK and of Hadoop that everything has to pass through
 * ({@link io.shredder.incoop.watch.Hooks} lists them). This package is loaded by the bootstrap loader, so that those
 * classes find it; it uses the JDK alone.
 */
@NullMarked
package io.shredder.incoop.watch;

import org.jspecify.annotations.NullMarked;
