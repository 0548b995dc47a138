// SPDX-License-Identifier: Apache-2.0
/** What is told to people who do not look: that something fails, is silent, or is unlike all before, and its end. */
@NullMarked
package io.shredder.backup.server.alert;

import org.jspecify.annotations.NullMarked;
