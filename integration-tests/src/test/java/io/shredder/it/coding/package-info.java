// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.shredder.it.coding;

import org.jspecify.annotations.NullMarked;
