// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import org.junit.jupiter.api.Test;

class TextJobsTest extends LocalJobCase {
    @InTurn(days = 3)
    @Test
    void wordCountCountsRunsOfLettersDigitsUnderscoresAndOtherAlphabets() throws Exception {
        write("in/one", "int foo_1 = bar(foo_1);", "", "größe, foo_1!");
        write("in/two", "bar");

        assertThat(run(new WordCount(), "out")).containsExactly("bar\t2", "foo_1\t3", "größe\t1", "int\t1");
    }

    @Test
    void bigramsAreCountedWithinALineOnly() throws Exception {
        write("in/text", "a b a b", "b c");

        assertThat(run(new BigramCount(), "out")).containsExactly("a b\t2", "b a\t1", "b c\t1");
    }

    @Test
    void wordsWithinTheWindowOccurTogetherInEitherOrder() throws Exception {
        write("in/text", "a b c d", "b a", "a a");

        assertThat(run(new CoOccurrence(), "out", "--window", "2"))
                .containsExactly("a a\t1", "a b\t2", "a c\t1", "b c\t1", "b d\t1", "c d\t1");
    }

    @Test
    void wordsOutsideTheVocabularyKeepTheirPlacesButDoNotCount() throws Exception {
        write("in/text", "a x b", "a x x b");
        String vocabulary = write("vocabulary", "b", "a", "").toString();

        assertThat(run(new CoOccurrence(), "out", "--window", "2", "--vocabulary", vocabulary))
                .containsExactly("a b\t1");
    }

    @Test
    void badCommandLinesAreRefusedAndHelpIsNot() throws Exception {
        write("in/text", "a");

        assertThat(exitCode(new CoOccurrence(), "out", "--window", "0")).isEqualTo(JobTool.WRONG_USAGE);
        assertThat(exitCode(new CoOccurrence(), "out", "--window", "two")).isEqualTo(JobTool.WRONG_USAGE);
        assertThat(exitCode(new WordCount(), "out", "--window", "2")).isEqualTo(JobTool.WRONG_USAGE);
        assertThat(exitCode(new WordCount(), "out", "third")).isEqualTo(JobTool.WRONG_USAGE);
        assertThat(exitCode(new KMeans(), "out")).isEqualTo(JobTool.WRONG_USAGE);
        assertThat(exitCode(new CoOccurrence(), "out", "--vocabulary", folder + "/nowhere"))
                .isEqualTo(JobTool.FAILED);
        assertThat(exitCode(new WordCount(), "out", "--help")).isEqualTo(JobTool.DONE);
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
