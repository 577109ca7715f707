package dev.bluebell.softnic.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Hca;
import dev.bluebell.softnic.SoftNicProvider;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossOptionsTest {
  private static LossOptions parse(String text) {
    return SoftNicOptions.parse(text).loss();
  }

  @Test
  void withoutOptionsTheFabricLosesNothing() {
    assertThat(SoftNicOptions.DEFAULT.loss()).isNull();
    assertThat(parse("engine=poll")).isNull();
  }

  @Test
  void eachOptionIsRead() {
    assertThat(parse("loss=5%,reorder=1.5%,duplicate=0.25,delay=20,seed=-7"))
        .isEqualTo(new LossOptions(0.05, 0.015, 0.0025, 20_000, -7));
    assertThat(parse("seed=7,delay=0,loss=100%,engine=poll"))
        .isEqualTo(LossOptions.none(7).withLoss(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"seed=7", "adversary=7,seed=7", "timing=connectx5,seed=7"})
  void aSeedOfNothingIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse(text))
        .withMessageContaining("seeds nothing");
  }

  @Test
  void aMistypedOptionGetsASuggestion() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("los=0.1"))
        .withMessageStartingWith(
            "option 'los' of device soft is unknown; did you mean 'loss'? Its options are engine=");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("strickt"))
        .withMessageContaining("did you mean 'strict'?");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("colour=blue"))
        .withMessageStartingWith(
            "option 'colour' of device soft is unknown; its options are engine=")
        .withMessageMatching(
            "(?s).*"
                + OptionsText.NAMES.stream()
                    .map("(?=.*\\b%s\\b)"::formatted)
                    .collect(Collectors.joining())
                + ".*");
  }

  @Test
  void theTextOfOptionsParsesToTheSameOptions() {
    LossOptions options = new LossOptions(0.05, 1, 0.000_01, 20_000, 7);
    assertThat(options).hasToString("loss=5%,reorder=100%,duplicate=0.001%,delay=20,seed=7");
    assertThat(parse(options.toString())).isEqualTo(options);
    assertThat(LossOptions.none(1)).hasToString("loss=0%,reorder=0%,duplicate=0%,delay=0,seed=1");
  }

  @Test
  void aDeviceWithoutASeedDrawsOneAndShowsIt() {
    try (Hca hca = new SoftNicProvider().open("soft:engine=poll,loss=5%").orElseThrow()) {
      List<String> lines = hca.diagnosis().orElseThrow().objects();
      assertThat(lines)
          .singleElement()
          .asString()
          .matches("fabric loss=5%,reorder=0%,duplicate=0%,delay=0,seed=\\d+: 0 packets sent, .*");
      String seed = lines.getFirst().replaceFirst(".*(seed=\\d+):.*", "$1");
      assertThat(hca.diagnosis().orElseThrow().explanations())
          .singleElement()
          .asString()
          .isEqualTo(
              "the fabric is lossy; to repeat its random choices, open soft:loss=5%%,reorder=0%%,duplicate=0%%,delay=0,%s"
                  .formatted(seed));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void aShareOutsideZeroToOneIsRefused(double share) {
    LossOptions none = LossOptions.none(0);
    assertThatIllegalArgumentException().isThrownBy(() -> none.withLoss(share));
    assertThatIllegalArgumentException().isThrownBy(() -> none.withReorder(share));
    assertThatIllegalArgumentException().isThrownBy(() -> none.withDuplicate(share));
  }

  @Test
  void aDelayIsNotNegative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LossOptions.none(0).withDelayNanos(-1))
        .withMessageContaining("delay -1 ns");
  }
}
