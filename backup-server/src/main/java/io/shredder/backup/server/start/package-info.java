// SPDX-License-Identifier: Apache-2.0
/** What has commands start sooner. */
@NullMarked
package io.shredder.backup.server.start;

import org.jspecify.annotations.NullMarked;
