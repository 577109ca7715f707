package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.VportCommands.HcaVportContext;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportContextOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidIn;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportGidOut;
import dev.bluebell.hca.command.VportCommands.QueryHcaVportPkeyIn;
import dev.bluebell.hca.command.VportCommands.QueryRoceAddressIn;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Rig;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of an InfiniBand port and of an Ethernet port. */
class PortQueriesTest {
  private static final int ALL = 0xffff;
  private static final long GUID = 0x00be_11ff_fe00_0001L;

  private final Rig rig =
      Rigs.openInfiniBand(options -> options.withLmc(3).withPartitionKeys(List.of(0xffff, 0x8001)));
  private final Rig ethernet = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
    ethernet.close();
  }

  private static View context() {
    return View.command(QueryHcaVportContextIn.STRUCTURE, CommandOpcode.QUERY_HCA_VPORT_CONTEXT);
  }

  private static View gid(int index) {
    return View.command(QueryHcaVportGidIn.STRUCTURE, CommandOpcode.QUERY_HCA_VPORT_GID)
        .set(QueryHcaVportGidIn.GID_INDEX, index);
  }

  private static View key(int index) {
    return View.command(QueryHcaVportPkeyIn.STRUCTURE, CommandOpcode.QUERY_HCA_VPORT_PKEY)
        .set(QueryHcaVportPkeyIn.PKEY_INDEX, index);
  }

  private static View execute(Rig on, View command) {
    return View.over(on.nic().execute(command.bytes()));
  }

  private static View capabilities(Rig on) {
    return execute(
            on,
            View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
                .set(CmdIn.OP_MOD, CapabilityType.GENERAL << 1 | 1))
        .at(new Area("capability", QueryHcaCapOut.CAPABILITY.bit() / 8, CmdHcaCap.STRUCTURE));
  }

  // ---- capabilities

  @Test
  void theLinkLayerIsAPortType() {
    View cap = capabilities(rig);
    assertThat(cap.getInt(CmdHcaCap.PORT_TYPE)).isZero();
    assertThat(cap.isSet(CmdHcaCap.IB_VIRT)).isTrue();
    assertThat(cap.isSet(CmdHcaCap.ROCE)).isFalse();
    assertThat(cap.isSet(CmdHcaCap.COMPACT_ADDRESS_VECTOR)).isTrue();
    assertThat(cap.isSet(CmdHcaCap.PKV)).isTrue();
    assertThat(cap.isSet(CmdHcaCap.QKV)).isTrue();
    View other = capabilities(ethernet);
    assertThat(other.getInt(CmdHcaCap.PORT_TYPE)).isEqualTo(1);
    assertThat(other.isSet(CmdHcaCap.IB_VIRT)).isFalse();
    assertThat(other.isSet(CmdHcaCap.ROCE)).isTrue();
    assertThat(other.isSet(CmdHcaCap.COMPACT_ADDRESS_VECTOR)).isFalse();
  }

  @Test
  void sizesOfTablesAreCodes() {
    for (Rig device : List.of(rig, ethernet)) {
      View cap = capabilities(device);
      assertThat(8 << cap.getInt(CmdHcaCap.GID_TABLE_SIZE))
          .isEqualTo(device.nic().queryPort(1).gidTableLength());
      assertThat(cap.getInt(CmdHcaCap.PKEY_TABLE_SIZE)).as("128 << 0").isZero();
      assertThat(cap.isSet(CmdHcaCap.BLOCK_LB_MC)).isTrue();
      assertThat(1 << cap.getInt(CmdHcaCap.LOG_MAX_MCG)).isEqualTo(4096);
      assertThat(cap.getInt(CmdHcaCap.MAX_QP_MCG)).isEqualTo(32);
    }
    assertThat(rig.nic().queryPort(1).pkeyTableLength()).isEqualTo(128);
    assertThat(ethernet.nic().queryPort(1).pkeyTableLength()).isEqualTo(1);
  }

  @Test
  void anInfiniBandPortHasNothingOfRoce() {
    View roce =
        View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
            .set(CmdIn.OP_MOD, CapabilityType.ROCE << 1 | 1);
    assertThat(Rig.refused(() -> execute(rig, roce))).hasMessageContaining("RoCE capabilities");
    View address = View.command(QueryRoceAddressIn.STRUCTURE, CommandOpcode.QUERY_ROCE_ADDRESS);
    assertThat(Rig.refused(() -> execute(rig, address)))
        .hasMessageContaining("an InfiniBand port has no RoCE addresses (roce is 0)");
  }

  // ---- the vport

  @Test
  void theContextOfTheVportSaysWhatThePortIs() {
    View context = execute(rig, context()).at(QueryHcaVportContextOut.HCA_VPORT_CONTEXT);
    assertThat(context.getInt(HcaVportContext.LID)).isEqualTo(16);
    assertThat(context.getInt(HcaVportContext.LID)).isEqualTo(rig.nic().queryPort(1).lid());
    assertThat(context.getInt(HcaVportContext.LMC)).isEqualTo(3);
    assertThat(context.getInt(HcaVportContext.SM_LID)).isEqualTo(1);
    assertThat(context.getInt(HcaVportContext.PORT_STATE)).isEqualTo(4);
    assertThat(context.getInt(HcaVportContext.VPORT_STATE)).isEqualTo(4);
    assertThat(context.getInt(HcaVportContext.PORT_PHYSICAL_STATE)).isEqualTo(5);
    assertThat(context.get(HcaVportContext.PORT_GUID)).isEqualTo(GUID);
    assertThat(context.get(HcaVportContext.NODE_GUID)).isEqualTo(GUID);
    assertThat(context.get(HcaVportContext.CAP_MASK1)).isEqualTo(0x2651e848);
    assertThat(context.isSet(HcaVportContext.GRH_REQUIRED)).isFalse();
  }

  /** The place where Linux reads them, 4 bytes after that of some headers. */
  @Test
  void theLidIsAtByte96OfTheContext() {
    byte[] answer = execute(rig, context()).bytes();
    ByteBuffer context = ByteBuffer.wrap(answer, 16, answer.length - 16).slice();
    assertThat(context.getShort(96)).isEqualTo((short) 16);
    assertThat(context.get(99) >> 5 & 7).isEqualTo(3);
    assertThat(context.getShort(100)).isEqualTo((short) 1);
  }

  @Test
  void gidsAreQueriedOneByOneAndTogether() {
    View one = execute(rig, gid(0));
    assertThat(one.getInt(QueryHcaVportGidOut.GIDS_NUM)).isEqualTo(1);
    assertThat(Gid.of(Arrays.copyOfRange(one.bytes(), 16, 32))).isEqualTo(rig.nic().queryGid(1, 0));
    View all = execute(rig, gid(ALL));
    assertThat(all.getInt(QueryHcaVportGidOut.GIDS_NUM)).isEqualTo(8);
    assertThat(all.bytes()).hasSize(16 + 8 * 16);
    assertThat(Arrays.copyOfRange(all.bytes(), 32, 144)).containsOnly(0);
    assertThat(Rig.refused(() -> execute(rig, gid(8))))
        .hasMessageContaining("gid_index 8: the table has 8 entries; 0xffff asks for all");
  }

  @Test
  void partitionKeysAreQueriedOneByOneAndTogether() {
    assertThat(ByteBuffer.wrap(execute(rig, key(1)).bytes()).getInt(16)).isEqualTo(0x8001);
    byte[] all = execute(rig, key(ALL)).bytes();
    assertThat(all).hasSize(16 + 128 * 4);
    assertThat(ByteBuffer.wrap(all).getInt(16)).isEqualTo(0xffff);
    assertThat(ByteBuffer.wrap(all).getInt(24)).isZero();
    assertThat(Rig.refused(() -> execute(rig, key(128))))
        .hasMessageContaining("pkey_index 128: the table has 128 entries");
  }

  @Test
  void anEthernetPortHasOnePartitionAndNoVportOfThisKind() {
    byte[] all = execute(ethernet, key(ALL)).bytes();
    assertThat(all).hasSize(16 + 4);
    assertThat(ByteBuffer.wrap(all).getInt(16)).isEqualTo(0xffff);
    assertThat(Rig.refused(() -> execute(ethernet, key(1)))).hasMessageContaining("pkey_index 1");
    assertThat(Rig.refused(() -> execute(ethernet, context())))
        .hasMessageContaining("an Ethernet port has no HCA vport context; open the device with");
    assertThat(Rig.refused(() -> execute(ethernet, gid(0))))
        .hasMessageContaining("an Ethernet port has no HCA vport GIDs");
  }

  @ParameterizedTest
  @CsvSource({"true, 0, 0", "false, 1, 0", "false, 0, 2"})
  void otherVportsAndPortsAreRefused(boolean other, int vport, int port) {
    List<View> commands =
        List.of(
            context()
                .set(QueryHcaVportContextIn.OTHER_VPORT, other)
                .set(QueryHcaVportContextIn.VPORT_NUMBER, vport)
                .set(QueryHcaVportContextIn.PORT_NUM, port),
            gid(0)
                .set(QueryHcaVportGidIn.OTHER_VPORT, other)
                .set(QueryHcaVportGidIn.VPORT_NUMBER, vport)
                .set(QueryHcaVportGidIn.PORT_NUM, port),
            key(0)
                .set(QueryHcaVportPkeyIn.OTHER_VPORT, other)
                .set(QueryHcaVportPkeyIn.VPORT_NUMBER, vport)
                .set(QueryHcaVportPkeyIn.PORT_NUM, port));
    for (View command : commands) {
      assertThat(Rig.refused(() -> execute(rig, command)))
          .hasMessageContaining("this device has port 1 and its own vport only");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7})
  void theLidIsThatOfItsNumberAboveTheSubnetManagers(int lmc) {
    try (Rig one = Rigs.openInfiniBand(options -> options.withLmc(lmc));
        Rig other = Rigs.openInfiniBand(options -> options.withLmc(lmc).withIdentity(2))) {
      assertThat(one.nic().queryPort(1).lid()).isEqualTo(2 << lmc);
      assertThat(other.nic().queryPort(1).lid()).isEqualTo(3 << lmc);
      assertThat(one.nic().queryPort(1).smLid()).isEqualTo(1);
    }
  }
}
