package dev.bluebell.softnic.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class MachineOptionsTest {
  private static MachineOptions parse(String text) {
    return SoftNicOptions.parse(text).machine();
  }

  @Test
  void withoutOptionsWqesAreCheckedEnablesAreNotFencedAndNothingIsDrawn() {
    assertThat(SoftNicOptions.DEFAULT.machine()).isEqualTo(new MachineOptions(true, false, null));
    assertThat(parse("engine=poll")).isEqualTo(MachineOptions.DEFAULT);
  }

  @Test
  void eachOptionIsReadAndTheOthersKeepTheirDefaults() {
    assertThat(parse("wqe-checks=off,fenced-enables=on,adversary=-7"))
        .isEqualTo(new MachineOptions(false, true, -7L));
    assertThat(parse("adversary=7,wqe-checks=on")).isEqualTo(new MachineOptions(true, false, 7L));
    assertThat(parse("fenced-enables=off,spin=5")).isEqualTo(MachineOptions.DEFAULT);
  }

  @Test
  void otherValuesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("wqe-checks=no"))
        .withMessageContaining("wqe-checks=no");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("adversary=often"))
        .withMessage("adversary=often of device soft: it must be a 64-bit integer");
  }
}
