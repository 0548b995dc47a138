// SPDX-License-Identifier: Apache-2.0
/**
 * Whether the backup keeps its word against hostile clients, lost files and silent peers, with its programs as users
 * run them.
 */
@NullMarked
package io.shredder.it.trust;

import org.jspecify.annotations.NullMarked;
