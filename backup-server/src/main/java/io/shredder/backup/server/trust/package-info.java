// SPDX-License-Identifier: Apache-2.0
/**
 * What a client believes of an agent: which snapshots of a series the repository key proves, whether they still are
 * what was committed, and what is to be done if not. {@link io.shredder.backup.server.trust.ProvedSeries} proves,
 * {@link io.shredder.backup.server.trust.KnownCommits} remembers.
 */
@NullMarked
package io.shredder.backup.server.trust;

import org.jspecify.annotations.NullMarked;
