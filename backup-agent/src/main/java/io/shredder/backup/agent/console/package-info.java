// SPDX-License-Identifier: Apache-2.0
/**
 * What people and programs see of an agent by HTTP: {@link io.shredder.backup.agent.console.AgentSite} answers the page
 * and the API of {@code docs/API.md}. Nothing here changes anything.
 */
@NullMarked
package io.shredder.backup.agent.console;

import org.jspecify.annotations.NullMarked;
