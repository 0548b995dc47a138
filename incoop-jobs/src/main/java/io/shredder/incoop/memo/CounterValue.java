// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

/**
 * One counter as a chunk's map left it, kept so that a job that reuses the chunk reports the same totals.
 *
 * @param group the counter group's name
 * @param name the counter's name in its group
 * @param value what the chunk added to it
 */
public record CounterValue(String group, String name, long value) {}
