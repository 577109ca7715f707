package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.Capabilities.RoceCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import org.junit.jupiter.api.Test;

/**
 * The format of timestamps that new queue pairs name. A device whose clock is set to the time of
 * day refuses the free-running format.
 */
class TimestampFormatTest {
  private static final int REAL_TIME = 1;
  private static final int BOTH = 2;

  private static int format(byte[] command) {
    return View.over(command).at(CreateQpIn.QPC).getInt(Qpc.TS_FORMAT);
  }

  private static boolean isQueryOfRoce(byte[] command) {
    return CapabilityType.of(View.over(command).getInt(CmdIn.OP_MOD)) == CapabilityType.ROCE;
  }

  /** Creates a queue pair of each kind. */
  private static void createAll(FakeHca hca) {
    hca.caps.set(CmdHcaCap.TAG_MATCHING, 1).set(CmdHcaCap.LOG_TAG_MATCHING_LIST_SZ, 6);
    hca.caps.set(CmdHcaCap.RNDV_OFFLOAD_RC, 1);
    try (Device device = Device.over(hca)) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(8);
      domain.rcQueuePair(completions).create();
      domain
          .tagMatchingReceiveQueue(completions)
          .rendezvous(true)
          .create()
          .rendezvousTarget()
          .create();
      device.allocateXrcDomain().target().create();
    }
    assertThat(hca.commands.get(CommandOpcode.CREATE_QP)).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void onARoceDeviceTheFormatDependsOnTheCapabilitiesOfRoce() {
    FakeHca hca = new FakeHca();
    hca.caps.set(CmdHcaCap.ROCE, 1);
    hca.roceCaps.set(RoceCap.QP_TS_FORMAT, REAL_TIME);
    createAll(hca);
    assertThat(hca.commands.get(CommandOpcode.CREATE_QP))
        .allSatisfy(command -> assertThat(format(command)).isEqualTo(Qpc.TS_FORMAT_DEFAULT));
  }

  @Test
  void onAnInfiniBandDeviceTheFormatDependsOnTheGeneralCapabilities() {
    FakeHca hca = FakeHca.ofInfiniBand();
    hca.caps.set(CmdHcaCap.ROCE, 1).set(CmdHcaCap.SQ_TS_FORMAT, REAL_TIME);
    createAll(hca);
    assertThat(hca.commands.get(CommandOpcode.CREATE_QP))
        .allSatisfy(command -> assertThat(format(command)).isEqualTo(Qpc.TS_FORMAT_DEFAULT));
    assertThat(hca.commands.get(CommandOpcode.QUERY_HCA_CAP))
        .noneMatch(TimestampFormatTest::isQueryOfRoce);
  }

  @Test
  void aDeviceWithBothFormatsUsesTheCyclesOfItsClock() {
    FakeHca hca = new FakeHca();
    hca.caps.set(CmdHcaCap.ROCE, 1).set(CmdHcaCap.SQ_TS_FORMAT, REAL_TIME);
    hca.roceCaps.set(RoceCap.QP_TS_FORMAT, BOTH);
    createAll(hca);
    assertThat(hca.commands.get(CommandOpcode.CREATE_QP))
        .allSatisfy(command -> assertThat(format(command)).isZero());
  }
}
