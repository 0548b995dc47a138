// SPDX-License-Identifier: Apache-2.0
/**
 * What a job reads. {@link io.shredder.incoop.input.Input} cuts the files of one input format into chunks by their
 * manifests, or into splits as a plain run would.
 */
@NullMarked
package io.shredder.incoop.input;

import org.jspecify.annotations.NullMarked;
