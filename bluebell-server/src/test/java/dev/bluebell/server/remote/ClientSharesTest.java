package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process has one share of a device, however many connections it has. */
class ClientSharesTest {
  private final SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED));
  private final ClientShares shares = new ClientShares(nic);

  @AfterEach
  void close() {
    nic.close();
  }

  @Test
  void theConnectionsOfAProcessHaveOneShare() {
    Hca first = shares.join(1);
    assertThat(shares.join(1)).isSameAs(first);
    assertThat(shares.join(2)).isNotSameAs(first);
    assertThat(shares.count()).isEqualTo(2);
  }

  @Test
  void aShareEndsWithTheLastConnection() {
    Hca first = shares.join(1);
    Hca second = shares.join(1);
    shares.leave(1);
    assertThat(shares.count()).isEqualTo(1);
    shares.leave(1);
    assertThat(shares.count()).isZero();
    assertThat(shares.join(1)).isNotSameAs(first).isNotSameAs(second);
  }

  @Test
  void theDeviceIsOpenWhenAShareHasEnded() {
    HcaObject domain = shares.join(1).allocateProtectionDomain();
    shares.leave(1);
    domain.close();
    nic.allocateProtectionDomain().close();
  }
}
