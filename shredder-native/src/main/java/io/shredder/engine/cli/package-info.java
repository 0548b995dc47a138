// SPDX-License-Identifier: Apache-2.0
/** The command {@code shredder}: cuts files into chunks, codes them as pieces, lists devices. */
@NullMarked
package io.shredder.engine.cli;

import org.jspecify.annotations.NullMarked;
