// SPDX-License-Identifier: Apache-2.0
/** The demo: the whole product on real input and real daemons, told on one page. */
@NullMarked
package io.shredder.it.demo;

import org.jspecify.annotations.NullMarked;
