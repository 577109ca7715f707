package dev.bluebell.hca.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Untrusted text does not control a terminal. */
class PrintableTest {
  @Test
  void controlCharactersBecomeEscapes() {
    assertThat(Printable.line("\033]0;x\007 \u009b31m \u202e"))
        .isEqualTo("\\u001b]0;x\\u0007 \\u009b31m \\u202e");
    assertThat(Printable.line("a\n\tb")).isEqualTo("a\\u000a\\u0009b");
  }

  @Test
  void lettersOfAllLanguagesStay() {
    assertThat(Printable.line("µs → “é” 字 😀")).isEqualTo("µs → “é” 字 😀");
  }

  @Test
  void linesStay() {
    assertThat(Printable.lines("a\n\tb\033\r")).isEqualTo("a\n\tb\\u001b\\u000d");
  }
}
