// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;

class KeyGroupsTest {

    private final KeyGroups groups = new KeyGroups(new Text.Comparator());

    /** As of a mapper that goes on after its value's {@code write} has thrown. */
    @Test
    void aKeyWhoseValueCouldNotBeWrittenIsNoRecord() throws IOException {
        keyWithHalfAValue("a");
        record("b", "1");
        keyWithHalfAValue("b");
        keyWithHalfAValue("c");
        record("d", "2");
        keyWithHalfAValue("e");
        record("d", "3");
        record("c", "4");

        assertThat(read(groups.all())).containsExactly("b 1", "c 4", "d 2", "d 3");
        groups.sort();
        assertThat(read(groups.sorted(0))).containsExactly("b 1", "c 4", "d 2", "d 3");
        assertThat(groups.sorted(1).hasNext()).isFalse();
    }

    @Test
    void keysWithoutAnyValueGiveNothing() throws IOException {
        keyWithHalfAValue("a");

        assertThat(groups.all().hasNext()).isFalse();
        groups.sort();
        assertThat(groups.sorted(0).hasNext()).isFalse();
        assertThat(groups.sorted(0).next()).isFalse();
    }

    private void record(String key, String value) throws IOException {
        key(key);
        write(new Text(value));
        groups.endValue();
    }

    private void keyWithHalfAValue(String key) throws IOException {
        key(key);
        groups.sink().write(77);
    }

    private void key(String key) throws IOException {
        int start = groups.beginKey();
        write(new Text(key));
        groups.endKey(start, 0);
    }

    private void write(Text text) throws IOException {
        text.write(new DataOutputStream(groups.sink()));
    }

    /** Texts as short as these lie behind one byte of length. */
    private List<String> read(KeyGroups.Cursor cursor) {
        List<String> records = new ArrayList<>();
        while (cursor.hasNext()) {
            assertThat(cursor.next()).isTrue();
            records.add(text(cursor.keyStart(), cursor.keyLength()) + " "
                    + text(cursor.valueStart(), cursor.valueLength()));
        }
        assertThat(cursor.next()).isFalse();
        return records;
    }

    private String text(int start, int length) {
        return new String(groups.bytes(), start + 1, length - 1, StandardCharsets.UTF_8);
    }
}
