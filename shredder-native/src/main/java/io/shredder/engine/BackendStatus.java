// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/**
 * A backend on this machine.
 *
 * @param name as in {@link Backend#optionName}
 * @param available whether an engine can be opened with it
 * @param detail what it runs on, or why it can't
 */
public record BackendStatus(String name, boolean available, String detail) {}
