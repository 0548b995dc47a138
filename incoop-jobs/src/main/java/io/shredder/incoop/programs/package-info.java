// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that a job's code starts: how they are watched, what they were seen asking for, and how that stands.
 * {@code docs/formats/child-report.md} is what {@code child-watch} writes.
 */
@NullMarked
package io.shredder.incoop.programs;

import org.jspecify.annotations.NullMarked;
