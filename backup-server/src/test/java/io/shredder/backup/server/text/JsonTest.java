// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void aLineIsWhatJacksonMakesOfTheSameValue() throws Exception {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "a \"quoted\" name, ä, \n and \\");
        value.put("numbers", Arrays.asList(1, -2L, 0.5, 1e300, null, true));
        value.put("empty", List.of(Map.of(), new ArrayList<>()));
        value.put("nested", Map.of(7L, Map.of("deeper", List.of("x", "y"))));
        String line = Json.line(value);
        assertThat(line).isEqualTo(new ObjectMapper().writeValueAsString(value));
    }

    @Test
    void whatIsNeitherIsWrittenAsItsText() {
        assertThat(Json.line(List.of(new StringBuilder("as text")))).isEqualTo("[\"as text\"]");
    }
}
