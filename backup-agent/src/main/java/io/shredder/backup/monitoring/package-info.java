// SPDX-License-Identifier: Apache-2.0
/** Figures of a daemon, and the pages on which those who watch find them. */
@NullMarked
package io.shredder.backup.monitoring;

import org.jspecify.annotations.NullMarked;
