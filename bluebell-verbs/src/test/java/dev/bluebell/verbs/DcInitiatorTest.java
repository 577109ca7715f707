package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands of an initiator of dynamic connections, and the targets that its requests name. */
class DcInitiatorTest {
  private static final DcEndpoint TARGET =
      new DcEndpoint(Gid.ofIpv4(0x0a000002), 0x00beef, 0x1234_5678_9abc_def0L, 4096);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void anInitiatorIsReadyFromTheStart() {
    ConnectOptions options =
        ConnectOptions.DEFAULT.withPathMtu(512).withTimeout(9).withRetryCount(3).withMaxReads(8);
    DcInitiator initiator =
        domain.dcInitiator(completions).port(2).pkeyIndex(5).options(options).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.ST)).isEqualTo(5);
    assertThat(qpc.getInt(Qpc.RQ_TYPE)).isEqualTo(Qpc.RQ_TYPE_NONE);
    View toInit = hca.command(CommandOpcode.RST2INIT_QP);
    assertThat(toInit.getInt(Rst2initQpIn.QPN)).isEqualTo(initiator.number());
    View path = toInit.at(Rst2initQpIn.QPC).at(Qpc.PRIMARY_ADDRESS_PATH);
    assertThat(path.getInt(Ads.VHCA_PORT_NUM)).isEqualTo(2);
    assertThat(path.getInt(Ads.PKEY_INDEX)).isEqualTo(5);
    View rtr = hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC);
    assertThat(rtr.getInt(Qpc.MTU)).isEqualTo(2);
    assertThat(rtr.getInt(Qpc.LOG_MSG_MAX)).isEqualTo(30);
    View rts = hca.command(CommandOpcode.RTR2RTS_QP).at(Rtr2rtsQpIn.QPC);
    assertThat(rts.getInt(Qpc.RETRY_COUNT)).isEqualTo(3);
    assertThat(rts.getInt(Qpc.LOG_SRA_MAX)).isEqualTo(3);
    assertThat(rts.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.ACK_TIMEOUT)).isEqualTo(9);
  }

  @Test
  void theDeviceLimitsTheReadsOfInitiatorsByThemselves() {
    hca.caps.set(CmdHcaCap.LOG_MAX_RA_REQ_DC, 2);
    try (Device other = Device.over(hca)) {
      assertThat(other.attributes().maxReads()).isEqualTo(16);
      assertThat(other.attributes().maxDcReads()).isEqualTo(4);
      other.allocateProtectionDomain().dcInitiator(other.createCompletionQueue(8)).create();
    }
    View rts = hca.command(CommandOpcode.RTR2RTS_QP).at(Rtr2rtsQpIn.QPC);
    assertThat(rts.getInt(Qpc.LOG_SRA_MAX)).isEqualTo(2);
  }

  @Test
  void aResetRepeatsAllStateTransitions() {
    DcInitiator initiator = domain.dcInitiator(completions).create();
    initiator.target(initiator.targetAddress(TARGET)).send().signaled(1);
    initiator.reset();
    assertThat(initiator.freeWqebbs()).isEqualTo(initiator.sendQueueWqebbs());
    assertThat(hca.commands.get(CommandOpcode.RTR2RTS_QP)).hasSize(2);
  }

  @Test
  void anInitiatorCreatedForMemoryCopiesKeepsThemAfterAReset() {
    MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE);
    DcInitiator initiator = domain.dcInitiator(completions).memoryCopies(true).create();
    initiator.reset();
    assertThat(hca.commands.get(CommandOpcode.INIT2INIT_QP)).hasSize(2);
    initiator.copyMemory(memory, 0, memory, 32, 32).signaled(1);
    assertThat(initiator.pending().sends()).containsExactly(1);
    initiator.close();
    DcInitiator plain = domain.dcInitiator(completions).create();
    assertThat(hca.commands.get(CommandOpcode.INIT2INIT_QP)).hasSize(2);
    assertThatIllegalStateException()
        .isThrownBy(() -> plain.copyMemory(memory, 0, memory, 32, 32).signaled(1))
        .withMessageContaining("makes no copies");
  }

  @Test
  void aTargetAddressHasTheWholePath() {
    DcInitiator initiator = domain.dcInitiator(completions).gidIndex(3).create();
    DcTargetAddress address = initiator.targetAddress(TARGET, new PathOptions(0x6a, 5, 0));
    assertThat(hca.log).contains("resolve port 1 gid 3 " + TARGET.gid());
    assertThat(address.target()).isEqualTo(TARGET);
    assertThat(address).hasToString("to " + TARGET);
    initiator.target(address).send().unsignaled(1);
    initiator.nop().signaled(2);
    initiator.ringDoorbell();
    // Key; number, service level, port; MAC; class, hops, GID index; GID.
    assertThat(addressVector())
        .isEqualTo(
            "123456789abcdef0"
                + "8000beef0a00c123"
                + "0000000001234567"
                + "89ab6a4000300000"
                + "0000000000000000"
                + "0000ffff0a000002");
  }

  private String addressVector() {
    int umem = hca.lastCommand(CommandOpcode.CREATE_QP).getInt(CreateQpIn.WQ_UMEM_ID);
    MemorySegment queue = hca.umems.get(umem);
    return HexFormat.of().formatHex(queue.asSlice(16, 48).toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void aClosedInitiatorMakesNoAddresses() {
    DcInitiator initiator = domain.dcInitiator(completions).create();
    DcTargetAddress address = initiator.targetAddress(TARGET);
    initiator.close();
    assertThatIllegalStateException().isThrownBy(() -> initiator.targetAddress(TARGET));
    assertThatIllegalStateException()
        .isThrownBy(() -> initiator.target(address))
        .withMessageContaining("is closed");
  }

  @Test
  void theQueueHasRoomForItsLongestRequests() {
    DcInitiator initiator = domain.dcInitiator(completions).sendQueue(16).maxGather(2).create();
    DcTargetAddress address = initiator.targetAddress(TARGET);
    for (int i = 0; i < 16; i++) {
      initiator.target(address).write(0, 1).gather(0, 8, 1).gather(8, 8, 1).signaled(i);
    }
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                initiator.target(address).write(0, 1).gather(0, 8, 1).gather(8, 8, 1).signaled(16))
        .withMessageContaining("is full");
  }
}
