package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaPrecedence;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The option decides whether a device's thread may have precedence over clients. That thread runs
 * in real time; tests wait for its effects without a limit.
 */
@Timeout(60)
class PrecedenceOptionTest {

  /** Records that it was taken. */
  private static final class Means implements HcaPrecedence {
    final CountDownLatch asked = new CountDownLatch(1);

    @Override
    public Optional<Held> take() {
      asked.countDown();
      return Optional.empty();
    }

    @Override
    public void watch() {}
  }

  @Test
  void theThreadComesBeforeClientsUnlessTheDeviceIsOpenedWithoutPrecedence()
      throws InterruptedException {
    Means kept = new Means();
    Means used = new Means();
    try (SoftNic without = SoftNic.open(SoftNicOptions.parse("precedence=off"));
        SoftNic with = SoftNic.open(SoftNicOptions.parse("precedence=on"))) {
      crowd(without, kept);
      crowd(with, used);
      used.asked.await();
    }
    assertThat(kept.asked.getCount()).isOne();
  }

  /** Opens a client for each processor. */
  private static void crowd(SoftNic nic, HcaPrecedence means) {
    HcaHosting hosting = nic.hosting().orElseThrow();
    hosting.precede(means);
    List<Hca> clients = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      clients.add(hosting.openClient());
    }
    assertThat(clients).doesNotContainNull();
  }

  @Test
  void precedenceIsOnOrOff() {
    assertThat(SoftNicOptions.DEFAULT.precedence()).isTrue();
    assertThat(SoftNicOptions.parse("precedence=off,spin=5").precedence()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("precedence=never"))
        .withMessage("precedence=never of device soft is unknown; it must be on or off");
  }
}
