package dev.bluebell.softnic.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bluebell.softnic.rig.Heard;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options for faults and strictness. */
class FaultOptionsTest {

  private static FaultOptions parse(String text) {
    return Objects.requireNonNull(SoftNicOptions.parse(text).faults());
  }

  @Test
  void noFaultsAreInjectedByDefault() {
    assertThat(SoftNicOptions.DEFAULT.faults()).isNull();
    assertThat(SoftNicOptions.parse("loss=5%").faults()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "remote-access@3, remote-access@3",
    "rnr-retry-exc, rnr-retry-exc@1",
    "local-prot@0.5%, local-prot@0.5%",
    "drop-doorbell@2:0x41, drop-doorbell@2:0x41",
    "delay-cqe@5%/200:1024, delay-cqe@5%/200:0x400",
    "overrun@100+port-down@7+device@9, overrun@100+port-down@7+device@9",
    "qp-error@3+rnr@2/500:0x41, qp-error@3+rnr@2/500:0x41",
    "remote-op@0.7%+drop-cqe@33.3%, remote-op@0.7%+drop-cqe@33.3%",
    "drop-cqe@1:010, drop-cqe@1:0xa",
    "drop-cqe@1:0000008, drop-cqe@1:0x8",
    "qp-error@5:once, qp-error@5:once",
    "drop-cqe@1:16777215, drop-cqe@1:0xffffff",
  })
  void rulesAreReadAndWritten(String text, String written) {
    assertThat(parse("fail=" + text + ",seed=7")).hasToString("fail=" + written + ",seed=7");
    assertThat(parse("seed=7,fail=" + text).seed()).isEqualTo(7);
  }

  @Test
  void theSeedOfFaultsDoesNotMakeTheFabricLossy() {
    SoftNicOptions options = SoftNicOptions.parse("fail=drop-cqe@1%,seed=7");
    assertThat(options.loss()).isNull();
    assertThat(Objects.requireNonNull(options.faults()).seed()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense@1",
        "port-reset@1/0",
        "remote-access@0",
        "remote-access@101%",
        "remote-access@-1",
        "remote-access@9999999999999999999",
        "drop-cqe@1:16777216",
        "drop-cqe@1:-1",
        "remote-access@1/5",
        "delay-cqe@1",
        "rnr@1",
        "qp-error@1/5",
        "device@1:0x40",
        "device@1:once",
        "wr-flush@1",
        "a+b"
      })
  void aMalformedFaultRuleIsRefused(String text) {
    IllegalArgumentException refusal =
        catchThrowableOfType(
            IllegalArgumentException.class, () -> SoftNicOptions.parse("fail=" + text));
    assertThat(refusal).hasMessageContaining("of device soft");
    Heard.add(String.valueOf(refusal.getMessage()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fail=device@1,fail=drop-cqe@1",
        "mtu=512,mtu=1024",
        "strict,strict",
        "loss=1%,loss=1%"
      })
  void anOptionGivenTwiceIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse(text))
        .withMessageContaining("given twice");
  }

  @Test
  void faultsAreRefusedInVirtualTime() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("timing=connectx5,fail=device@1"));
  }

  @Test
  void strictMeansStrictDoorbellsToo() {
    SoftNicOptions options = SoftNicOptions.parse("strict,adversary=3");
    assertThat(options.strictDoorbells()).isTrue();
    assertThat(options.machine()).isEqualTo(new MachineOptions(true, false, 3L, true));
    assertThatIllegalArgumentException().isThrownBy(() -> SoftNicOptions.parse("strict=1"));
  }
}
