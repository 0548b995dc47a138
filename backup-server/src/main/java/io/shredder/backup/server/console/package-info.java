// SPDX-License-Identifier: Apache-2.0
/**
 * What people and programs see of the daemon by HTTP: {@link io.shredder.backup.server.console.ConsoleSite} answers the
 * page and the API of {@code docs/API.md}. What changes anything is in one class, {@code ConsoleActions}.
 */
@NullMarked
package io.shredder.backup.server.console;

import org.jspecify.annotations.NullMarked;
