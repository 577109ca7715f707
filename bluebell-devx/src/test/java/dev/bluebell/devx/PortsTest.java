package dev.bluebell.devx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressOut;
import dev.bluebell.hca.command.VportCommands.RoceAddrLayout;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortResp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ports report; an ordinary file stands in for the device file. */
class PortsTest {
  @TempDir private Path folder;
  private UverbsFile file;

  @BeforeEach
  void open() throws IOException {
    Path node = Files.createFile(folder.resolve("uverbs0"));
    file = UverbsFile.open(new UverbsDevice("mlx5_0", node, folder, HcaIdentity.SOFTWARE));
  }

  @AfterEach
  void close() {
    file.close();
  }

  private Ports ports(UnaryOperator<byte[]> executor) {
    return new Ports(file, executor);
  }

  @Test
  void theEthernetAddressIsThatOfThePort() {
    List<View> commands = new ArrayList<>();
    View answer = View.of(QueryRoceAddressOut.STRUCTURE);
    answer
        .at(QueryRoceAddressOut.ROCE_ADDRESS)
        .set(RoceAddrLayout.SOURCE_MAC_47_32, 0x0200)
        .set(RoceAddrLayout.SOURCE_MAC_31_0, 0x1234_5678);
    Ports ports =
        ports(
            command -> {
              commands.add(View.over(command));
              return answer.bytes();
            });
    assertThat(ports.mac(2)).isEqualTo(0x0200_1234_5678L);
    assertThat(commands).hasSize(1);
    assertThat(commands.getFirst().getInt(QueryRoceAddressIn.VHCA_PORT_NUM)).isEqualTo(2);
  }

  /** Without RoCE, a device has no such addresses; it can be opened nevertheless. */
  @Test
  void aDeviceThatRefusesTheQueryHasNoKnownEthernetAddress() {
    byte[] output = View.of(CmdOut.STRUCTURE).set(CmdOut.STATUS, CommandStatus.BAD_OP).bytes();
    Ports ports =
        ports(
            command -> {
              throw new HcaException("QUERY_ROCE_ADDRESS", output, "RoCE is off");
            });
    assertThat(ports.mac(1)).isZero();
  }

  @Test
  void aPortThatSharesItsLidRequiresAGlobalRoute() {
    View answer = View.of(QueryPortResp.STRUCTURE).set(QueryPortResp.LINK_LAYER, 1);
    assertThat(Ports.port(1, answer, 0)).extracting(HcaPort::globalRouteRequired).isEqualTo(false);
    View shared = answer.set(QueryPortResp.FLAGS, 1);
    assertThat(Ports.port(1, shared, 0)).extracting(HcaPort::globalRouteRequired).isEqualTo(true);
  }
}
