// SPDX-License-Identifier: Apache-2.0
/** How the daemon is watched: metrics for Prometheus and health, by HTTP, on a local address unless configured. */
@NullMarked
package io.shredder.backup.server.monitoring;

import org.jspecify.annotations.NullMarked;
