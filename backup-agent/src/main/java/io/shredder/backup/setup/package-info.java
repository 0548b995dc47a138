// SPDX-License-Identifier: Apache-2.0
/** The first hour of a machine: how it gets its certificate by a token, its files, and its service. */
@NullMarked
package io.shredder.backup.setup;

import org.jspecify.annotations.NullMarked;
