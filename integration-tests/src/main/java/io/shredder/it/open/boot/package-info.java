// SPDX-License-Identifier: Apache-2.0
/** How long a machine takes to start from a snapshot at an agent, beside the same image as a local file. */
@NullMarked
package io.shredder.it.open.boot;

import org.jspecify.annotations.NullMarked;
