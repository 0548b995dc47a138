// SPDX-License-Identifier: Apache-2.0
/**
 * The jobs of the search for differences, and what each is given: {@link io.shredder.it.exact.cases.AllCases}.
 */
@NullMarked
package io.shredder.it.exact.cases;

import org.jspecify.annotations.NullMarked;
