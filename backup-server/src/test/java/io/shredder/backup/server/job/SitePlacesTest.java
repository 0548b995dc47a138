// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SitePlacesTest {

    private final SitePlaces places = new SitePlaces(2);

    private CompletableFuture<SitePlaces.Place> enter() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return places.enter();
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void aLimitThatChangesCountsForThoseWhoAreInsideToo() throws Exception {
        SitePlaces.Place first = places.enter();
        SitePlaces.Place second = places.enter();
        places.limit(1);
        CompletableFuture<SitePlaces.Place> third = enter();
        first.close();
        first.close();
        TimeUnit.MILLISECONDS.sleep(200);
        assertThat(third).as("one is inside, and one may be").isNotDone();
        second.close();
        assertThat(third.get(20, TimeUnit.SECONDS)).isNotNull();
        CompletableFuture<SitePlaces.Place> fourth = enter();
        TimeUnit.MILLISECONDS.sleep(200);
        assertThat(fourth).isNotDone();
        places.limit(2);
        assertThat(fourth.get(20, TimeUnit.SECONDS)).isNotNull();
    }
}
