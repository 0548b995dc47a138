// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

/**
 * How many threads work on one image, at most, where several can read it at once.
 *
 * @param comparing with what is known of it
 * @param reading for the engine
 */
public record ImageThreads(int comparing, int reading) {}
