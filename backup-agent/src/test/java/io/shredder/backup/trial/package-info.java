// SPDX-License-Identifier: Apache-2.0
/**
 * Long runs of tests that take their count from the outside: {@code ./run trials}. Begin with
 * {@link io.shredder.backup.trial.Trial}.
 */
package io.shredder.backup.trial;
