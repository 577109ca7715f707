package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.softnic.option.SoftNicOptions;
import org.junit.jupiter.api.Test;

class StrictOptionTest {

  @Test
  void doorbellsAreSharedUnlessTheOptionSaysStrict() {
    assertThat(SoftNicOptions.parse("engine=poll").strictDoorbells()).isFalse();
    assertThat(SoftNicOptions.parse("doorbells=shared").strictDoorbells()).isFalse();
    assertThat(SoftNicOptions.parse("doorbells=strict,loss=5%,seed=7").strictDoorbells()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("doorbells=sometimes"))
        .withMessage("doorbells=sometimes of device soft is unknown; it must be shared or strict");
  }
}
