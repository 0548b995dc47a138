// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a person is about to have the daemon do.
 *
 * @param person by the certificate
 * @param action a word, with what it needs to know
 * @param key {@code job} or {@code image}
 * @param subject the name of that
 */
public record PersonAction(String person, String action, String key, String subject) {

    /** With a job. */
    public static PersonAction ofJob(String person, String action, String job) {
        return new PersonAction(person, action, "job", job);
    }

    /** With an image. */
    public static PersonAction ofImage(String person, String action, String image) {
        return new PersonAction(person, action, "image", image);
    }

    void write(ObjectNode line) {
        line.put(key, subject).put("person", person).put("action", action);
    }
}
