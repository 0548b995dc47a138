// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

/** Whether a home that failed may be asked again. */
public enum SignOfLife {
    /** It gave one since, or never fell silent. */
    GIVEN,
    /** It has been silent for no longer than an answer may take, and is asked for one. */
    AWAITED,
    /** It has been silent for longer, or nothing would be learned by waiting. */
    NONE
}
