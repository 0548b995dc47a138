// SPDX-License-Identifier: Apache-2.0
/**
 * What one client may ask, and what it is answered, without a network: a class for each kind of request.
 * {@link io.shredder.backup.agent.session.ClientSession} takes them all;
 * {@link io.shredder.backup.agent.session.SessionAnswers} makes answers of its failures.
 */
@NullMarked
package io.shredder.backup.agent.session;

import org.jspecify.annotations.NullMarked;
