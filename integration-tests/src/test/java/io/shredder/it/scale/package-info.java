// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.shredder.it.scale;

import org.jspecify.annotations.NullMarked;
