package dev.bluebell.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Numbers and sentences are printed in a readable form. */
class OutputTest {
  @Test
  void durationsHaveTheUnitThatFits() {
    assertThat(Units.duration(0)).isEqualTo("0.0 us");
    assertThat(Units.duration(12_345)).isEqualTo("12.3 us");
    assertThat(Units.duration(1_250_000)).isEqualTo("1.3 ms");
    assertThat(Units.duration(2_500_000_000L)).isEqualTo("2.50 s");
  }

  @Test
  void sentencesAreBrokenBetweenWords() {
    assertThat(Wrap.wrap("one two three four", "  ", 11).lines())
        .containsExactly("  one two", "  three", "  four");
  }

  @Test
  void aWordThatIsTooLongStandsAlone() {
    assertThat(Wrap.wrap("a bbbbbbbbbbbbbbb c", "", 5).lines())
        .containsExactly("a", "bbbbbbbbbbbbbbb", "c");
  }
}
