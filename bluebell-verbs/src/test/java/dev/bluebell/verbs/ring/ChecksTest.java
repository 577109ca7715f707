package dev.bluebell.verbs.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** A mistyped option for turning checks off is reported. */
class ChecksTest {
  @Test
  void aMistypedOptionIsReported() {
    assertThat(Checks.mistake(Set.of("java.home", "bluebell.check"), null))
        .hasValue(
            "-Dbluebell.check is not an option: checks are on, and -Dbluebell.checks=off turns them"
                + " off");
  }

  @Test
  void aValueThatIsNeitherOnNorOffIsReported() {
    assertThat(Checks.mistake(Set.of("bluebell.checks"), "false"))
        .hasValue("-Dbluebell.checks=false is neither on nor off: checks are on");
  }

  @Test
  void correctOptionsAreNotReported() {
    assertThat(Checks.mistake(Set.of("bluebell.checks", "bluebell.hostile.seeds"), "off"))
        .isEmpty();
    assertThat(Checks.mistake(Set.of("bluebell.checks"), "on")).isEmpty();
    assertThat(Checks.mistake(Set.of(), null)).isEmpty();
  }
}
