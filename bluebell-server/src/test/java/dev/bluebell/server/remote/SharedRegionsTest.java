package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.HcaException;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedRegionsTest {
  private static final int PAGE = 4096;

  private final Quotas quotas = Quotas.of(Map.of());

  @Test
  void noNumberIsUsedTwice() throws IOException {
    SharedRegions regions = new SharedRegions(quotas.open(1), Integer.MAX_VALUE);
    int last = regions.allocate(PAGE);
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(() -> regions.allocate(PAGE))
        .withMessage("the connection had too many pieces of memory; open another");
    assertThat(quotas.held(Quota.BYTES)).isEqualTo(PAGE);
    regions.giveBack(last);
    assertThat(quotas.held(Quota.BYTES)).isZero();
  }
}
