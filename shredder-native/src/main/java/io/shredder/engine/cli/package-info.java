// SPDX-License-Identifier: Apache-2.0
/** The command {@code shredder}: cuts files into chunks, lists devices. */
@NullMarked
package io.shredder.engine.cli;

import org.jspecify.annotations.NullMarked;
