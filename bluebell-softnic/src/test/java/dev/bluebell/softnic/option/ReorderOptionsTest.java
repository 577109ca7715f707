package dev.bluebell.softnic.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Hca;
import dev.bluebell.softnic.SoftNicProvider;
import org.junit.jupiter.api.Test;

class ReorderOptionsTest {
  private static SoftNicOptions parse(String text) {
    return SoftNicOptions.parse(text);
  }

  @Test
  void withoutTheOptionPayloadKeepsItsOrder() {
    assertThat(SoftNicOptions.DEFAULT.reorder()).isNull();
    assertThat(parse("loss=5%,seed=7").reorder()).isNull();
  }

  @Test
  void theOptionIsReadWithItsSeedAndLeavesTheFabricAlone() {
    assertThat(parse("reorder-memory=20,seed=7").reorder())
        .isEqualTo(new ReorderOptions(20_000, 7));
    assertThat(parse("seed=7,reorder-memory=20").reorder())
        .isEqualTo(new ReorderOptions(20_000, 7));
    assertThat(parse("reorder-memory=20,seed=7").loss()).isNull();
  }

  @Test
  void oneSeedServesMemoryAndFabric() {
    SoftNicOptions both = parse("reorder-memory=20,loss=5%,seed=7");
    assertThat(both.reorder()).isEqualTo(new ReorderOptions(20_000, 7));
    assertThat(both.loss()).isEqualTo(LossOptions.none(7).withLoss(0.05));
  }

  @Test
  void theTextOfOptionsParsesToTheSameOptions() {
    ReorderOptions options = new ReorderOptions(20_000, -7);
    assertThat(options).hasToString("reorder-memory=20,seed=-7");
    assertThat(parse(options.toString()).reorder()).isEqualTo(options);
  }

  @Test
  void aDeviceWithoutASeedDrawsOneAndShowsIt() {
    try (Hca hca = new SoftNicProvider().open("soft:engine=poll,reorder-memory=20").orElseThrow()) {
      assertThat(hca.diagnosis().orElseThrow().explanations())
          .singleElement()
          .asString()
          .matches(
              "payload becomes visible out of order where that is allowed; to repeat the random"
                  + " choices, open soft:reorder-memory=20,seed=\\d+");
    }
  }

  @Test
  void aTimeIsAtLeastOneMicrosecond() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("reorder-memory=0"))
        .withMessageContaining("reorder-memory=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReorderOptions(0, 1))
        .withMessageContaining("delay 0 ns");
  }
}
