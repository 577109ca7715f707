package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Devices have addresses of their own. */
class IdentitiesTest {

  @Test
  void devicesOfAProcessHaveDifferentAddressesAndNumbers() {
    Set<Long> macs = new HashSet<>();
    Set<Gid> gids = new HashSet<>();
    Set<Integer> qpns = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      Rig rig = Rigs.open(options -> options.withIdentity(0));
      RawQp qp = rig.qp(rig.cq(4));
      assertThat(macs.add(rig.nic().queryPort(1).mac())).isTrue();
      assertThat(gids.add(rig.nic().queryGid(1, 1))).isTrue();
      assertThat(gids.add(rig.nic().queryGid(1, 3))).isTrue();
      assertThat(qpns.add(qp.number())).isTrue();
      rig.close();
    }
  }

  @Test
  void theIdentityOptionSetsTheMacAndTheIpv4Address() {
    try (SoftNic nic = SoftNic.open(SoftNicOptions.parse("identity=66051"))) {
      assertThat(nic.queryPort(1).mac()).isEqualTo(0x02_be_11_01_02_03L);
      assertThat(nic.queryGid(1, 3)).isEqualTo(Gid.ofIpv4(0x7f010203));
    }
  }
}
