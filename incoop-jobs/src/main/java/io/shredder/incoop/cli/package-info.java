// SPDX-License-Identifier: Apache-2.0
/** The commands of {@code bin/incoop} beside {@code jar}. Begin with {@link io.shredder.incoop.cli.IncoopMain}. */
@NullMarked
package io.shredder.incoop.cli;

import org.jspecify.annotations.NullMarked;
