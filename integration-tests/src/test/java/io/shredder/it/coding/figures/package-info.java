// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.shredder.it.coding.figures;

import org.jspecify.annotations.NullMarked;
