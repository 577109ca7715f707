package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Events are printed in the same notation as everything else. */
class AsyncEventTest {
  @Test
  void numbersAreHexadecimal() {
    assertThat(new AsyncEvent(AsyncEvent.Type.SQ_DRAINED, 70, 0)).hasToString("SQ_DRAINED of 0x46");
    assertThat(new AsyncEvent(AsyncEvent.Type.CQ_ERROR, 70, 1))
        .hasToString("CQ_ERROR of 0x46, detail 0x1");
  }
}
