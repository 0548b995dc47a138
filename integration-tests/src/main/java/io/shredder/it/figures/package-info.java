// SPDX-License-Identifier: Apache-2.0
/**
 * What measurements are told with: rows, tables, charts and verdicts ({@link io.shredder.it.figures.Bar}), and the
 * machine and the checkout that gave them. Measures nothing itself.
 */
@NullMarked
package io.shredder.it.figures;

import org.jspecify.annotations.NullMarked;
