// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClassPathOrderTest {

    @Test
    void placesStayInTheOrderThatWasGiven() {
        assertThat(order("/lib/b.jar:/conf:/lib/a.jar", "")).containsExactly("/lib/b.jar", "/conf", "/lib/a.jar");
        assertThat(order("/lib/b.jar:/lib/a.jar", "/lib/b.jar:/lib/a.jar")).containsExactly("/lib/b.jar", "/lib/a.jar");
    }

    @Test
    void allJarsOfAFolderAreTakenByName() {
        assertThat(order("/conf:/lib/c.jar:/lib/a.jar:/lib/b.jar:/own/z.jar:/own/y.jar", "/conf:/lib/*:/own/z.jar"))
                .containsExactly("/conf", "/lib/a.jar", "/lib/b.jar", "/lib/c.jar", "/own/z.jar", "/own/y.jar");
    }

    @Test
    void allJarsOfTheWorkingFolderAreTakenByName() {
        assertThat(order("b.jar:a.jar", "*")).containsExactly("a.jar", "b.jar");
    }

    private static List<String> order(String expanded, String asGiven) {
        return Stream.of(ClassPathOrder.of(expanded, asGiven))
                .flatMap(List::stream)
                .map(Object::toString)
                .toList();
    }
}
