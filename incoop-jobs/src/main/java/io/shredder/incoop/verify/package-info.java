// SPDX-License-Identifier: Apache-2.0
/**
 * Proves that reuse changes nothing: beside each incremental job of a program runs what {@code incoop verify} asks for,
 * and both are compared. Begin with {@link io.shredder.incoop.verify.Verification}.
 */
@NullMarked
package io.shredder.incoop.verify;

import org.jspecify.annotations.NullMarked;
