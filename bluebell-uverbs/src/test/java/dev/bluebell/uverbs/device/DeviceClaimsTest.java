package dev.bluebell.uverbs.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.ExQueryDeviceResp;
import dev.bluebell.hca.uverbs.DeviceAbi.GidEntry;
import dev.bluebell.hca.uverbs.DeviceAbi.OdpCaps;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortRespEx;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.uverbs.session.Capabilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The kernel's side reports exactly the device's capabilities. */
class DeviceClaimsTest {
  private static final int ALL_OPERATIONS = 0x3f;
  private static final int SEND_AND_SHARED_RECEIVE = 0x21;
  private static final int MTU_1024 = 3;
  private static final int MTU_4096 = 5;

  private final SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT.withMtu(1024));

  @AfterEach
  void close() {
    nic.close();
  }

  @Test
  void theKernelReportsTheOnDemandCapabilitiesOfTheDevice() {
    View device = DeviceQueries.extendedDevice(nic, ExQueryDeviceResp.STRUCTURE.bytes());
    View told = device.at(ExQueryDeviceResp.ODP_CAPS);
    OnDemand claimed = new OnDemand(Capabilities.onDemand(nic));
    assertThat(claimed.of(OdpCap.RC_ODP_CAPS)).isEqualTo(ALL_OPERATIONS);
    assertThat(told.getInt(OdpCaps.RC_ODP_CAPS)).isEqualTo(ALL_OPERATIONS);
    assertThat(claimed.of(OdpCap.DC_ODP_CAPS)).isEqualTo(ALL_OPERATIONS);
    assertThat(device.getInt(ExQueryDeviceResp.XRC_ODP_CAPS)).isEqualTo(ALL_OPERATIONS);
    assertThat(claimed.of(OdpCap.UD_ODP_CAPS)).isEqualTo(SEND_AND_SHARED_RECEIVE);
    assertThat(told.getInt(OdpCaps.UD_ODP_CAPS)).isEqualTo(SEND_AND_SHARED_RECEIVE);
    assertThat(claimed.of(OdpCap.UC_ODP_CAPS)).isZero();
    assertThat(told.getInt(OdpCaps.UC_ODP_CAPS)).isZero();
    assertThat(told.get(OdpCaps.GENERAL_CAPS)).isEqualTo(3);
  }

  @Test
  void aRocePortReportsIpBasedGidsAndItsMtus() {
    View port = DeviceQueries.port(nic, 1).at(QueryPortRespEx.LEGACY_RESP);
    assertThat(port.getInt(QueryPortResp.PORT_CAP_FLAGS)).isEqualTo(1 << 26 | 1 << 16);
    assertThat(port.getInt(QueryPortResp.ACTIVE_MTU)).isEqualTo(MTU_1024);
    assertThat(port.getInt(QueryPortResp.MAX_MTU)).isEqualTo(MTU_4096);
  }

  @Test
  void gidsAreOfRoceV1AndV2ByTurns() {
    for (int index = 0; index < 4; index++) {
      View gid = DeviceQueries.gid(nic, 1, index);
      assertThat(gid.getInt(GidEntry.GID_TYPE)).isEqualTo(1 + index % 2);
      assertThat(GidTypes.name(nic, index)).isEqualTo(index % 2 == 0 ? "IB/RoCE v1" : "RoCE v2");
    }
  }
}
