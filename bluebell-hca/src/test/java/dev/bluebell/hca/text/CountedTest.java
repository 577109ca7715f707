package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nouns in sentences. */
class CountedTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "an RDMA_READ",
        "an ATOMIC_FA",
        "an MMO",
        "an RC",
        "an XRC",
        "an event queue",
        "a RECV_EN",
        "a SEND",
        "a UMR",
        "a UD",
        "a user"
      })
  void theArticleIsThatOfTheSpokenWord(String words) {
    assertThat(Counted.a(words.substring(words.indexOf(' ') + 1))).isEqualTo(words);
  }
}
