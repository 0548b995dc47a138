// SPDX-License-Identifier: Apache-2.0
/**
 * How snapshots, remarks, sizes and progress look to a reader, in a line and as JSON. It knows nothing of the server's
 * packages.
 */
@NullMarked
package io.shredder.backup.server.text;

import org.jspecify.annotations.NullMarked;
