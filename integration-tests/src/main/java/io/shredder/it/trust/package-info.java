// SPDX-License-Identifier: Apache-2.0
/** Whether the backup, as users run it, keeps its word against hostile clients, lost files and silent peers. */
@NullMarked
package io.shredder.it.trust;

import org.jspecify.annotations.NullMarked;
