// SPDX-License-Identifier: Apache-2.0
/**
 * When two runs compute the same thing: {@link io.shredder.incoop.identity.JobIdentity} gathers everything, other than
 * the input, that a map's output may depend on.
 */
@NullMarked
package io.shredder.incoop.identity;

import org.jspecify.annotations.NullMarked;
