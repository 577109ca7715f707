package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Sqerr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The commands and the address handles of a datagram queue pair. */
class UdQueuePairTest {
  private static final UdEndpoint PEER =
      new UdEndpoint(Gid.ofIpv4(0x0a000002), 0x00beef, 0x12345678, 4096);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);

  @Test
  void aQueuePairIsReadyFromTheStart() {
    UdQueuePair queuePair =
        domain.udQueuePair(completions).port(2).pkeyIndex(5).queueKey(0x99).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.ST)).isEqualTo(2);
    View toInit = hca.command(CommandOpcode.RST2INIT_QP);
    assertThat(toInit.getInt(Rst2initQpIn.QPN)).isEqualTo(queuePair.number());
    View init = toInit.at(Rst2initQpIn.QPC);
    assertThat(init.getInt(Qpc.Q_KEY)).isEqualTo(0x99);
    assertThat(init.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.VHCA_PORT_NUM)).isEqualTo(2);
    assertThat(init.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.PKEY_INDEX)).isEqualTo(5);
    View rtr = hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC);
    // 1024 bytes, the port's.
    assertThat(rtr.getInt(Qpc.MTU)).isEqualTo(3);
    assertThat(rtr.getInt(Qpc.LOG_MSG_MAX)).isEqualTo(10);
    assertThat(hca.command(CommandOpcode.RTR2RTS_QP).getInt(Rtr2rtsQpIn.QPN))
        .isEqualTo(queuePair.number());
  }

  @Test
  void theEndpointIsWhatOthersNeed() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    assertThat(queuePair.endpoint())
        .isEqualTo(new UdEndpoint(FakeHca.GID, queuePair.number(), 0x11111111, 1024));
  }

  @Test
  void anotherQueueKeyIsPartOfTheEndpointAlsoAfterAReset() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    queuePair.modifyQueueKey(0x80000005);
    View command = hca.command(CommandOpcode.RTS2RTS_QP);
    assertThat(command.getInt(Rts2rtsQpIn.OPT_PARAM_MASK)).isEqualTo(QpOptionalParameter.Q_KEY);
    assertThat(command.at(Rts2rtsQpIn.QPC).getInt(Qpc.Q_KEY)).isEqualTo(0x80000005);
    queuePair.reset();
    assertThat(hca.lastCommand(CommandOpcode.RST2INIT_QP).at(Rst2initQpIn.QPC).getInt(Qpc.Q_KEY))
        .isEqualTo(0x80000005);
    assertThat(queuePair.endpoint().qkey()).isEqualTo(0x80000005);
  }

  @Test
  void aRefusedQueueKeyChangesNothing() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    hca.refused.add(CommandOpcode.RTS2RTS_QP);
    assertThatThrownBy(() -> queuePair.modifyQueueKey(5)).isInstanceOf(HcaException.class);
    assertThat(queuePair.endpoint().qkey()).isEqualTo(0x11111111);
  }

  @Test
  void anAddressHandleHasTheWholePath() {
    UdQueuePair queuePair = domain.udQueuePair(completions).gidIndex(3).create();
    AddressHandle handle = queuePair.addressHandle(PEER, new PathOptions(0x6a, 5, 0));
    assertThat(hca.log).contains("resolve port 1 gid 3 " + PEER.gid());
    assertThat(handle.destination()).isEqualTo(PEER);
    assertThat(handle).hasToString("to " + PEER);
    queuePair.to(handle).send().unsignaled(1);
    queuePair.nop().signaled(2);
    queuePair.ringDoorbell();
    // Key, number, service level, port; MAC; class, hops, GID index; GID.
    assertThat(addressVector())
        .isEqualTo(
            "1234567800000000"
                + "8000beef0a00c123"
                + "0000000001234567"
                + "89ab6a4000300000"
                + "0000000000000000"
                + "0000ffff0a000002");
  }

  @Test
  void aFlowLabelDeterminesThePort() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    AddressHandle handle = queuePair.addressHandle(PEER, new PathOptions(0, 0, 0x12346));
    queuePair.to(handle).send().unsignaled(1);
    queuePair.nop().signaled(2);
    queuePair.ringDoorbell();
    assertThat(addressVector()).startsWith("1234567800000000" + "8000beef0000e342");
  }

  @Test
  void aPathOfRoceV1HasNoPortWhateverTheFlowLabel() {
    hca.path = FakeHca.PATH_OF_V1;
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    AddressHandle handle = queuePair.addressHandle(PEER, new PathOptions(0, 0, 0x12346));
    queuePair.to(handle).send().unsignaled(1);
    queuePair.nop().signaled(2);
    queuePair.ringDoorbell();
    assertThat(addressVector()).startsWith("1234567800000000" + "8000beef00000000");
  }

  /** The address vector of the first request of the queue that was created last. */
  private String addressVector() {
    View command = hca.lastCommand(CommandOpcode.CREATE_QP);
    View qpc = command.at(CreateQpIn.QPC);
    int receiveBytes =
        1 << qpc.getInt(Qpc.LOG_RQ_SIZE) + qpc.getInt(Qpc.LOG_RQ_STRIDE) + Qpc.LOG_RQ_STRIDE_OF_0;
    MemorySegment queues = hca.umems.get(command.getInt(CreateQpIn.WQ_UMEM_ID));
    return HexFormat.of()
        .formatHex(queues.asSlice(receiveBytes + 16, 48).toArray(ValueLayout.JAVA_BYTE));
  }

  @Test
  void aRequestTakesTwoBlocksAndTheQueueHasRoomForThem() {
    UdQueuePair queuePair = domain.udQueuePair(completions).sendQueue(16).create();
    assertThat(queuePair.sendQueueWqebbs()).isEqualTo(32);
    AddressHandle handle = queuePair.addressHandle(PEER);
    for (int i = 0; i < 16; i++) {
      queuePair.to(handle).send().gather(0x1000, 8, 1).signaled(i);
    }
    assertThat(queuePair.freeWqebbs()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.to(handle))
        .withMessageContaining("is full");
  }

  @Test
  void restartingTheSendQueueIsOneCommand() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    queuePair.restartSendQueue();
    assertThat(hca.command(CommandOpcode.SQERR2RTS_QP).getInt(Sqerr2rtsQpIn.QPN))
        .isEqualTo(queuePair.number());
  }

  @Test
  void aClosedQueuePairRefusesWork() {
    UdQueuePair queuePair = domain.udQueuePair(completions).create();
    AddressHandle handle = queuePair.addressHandle(PEER);
    queuePair.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.to(handle))
        .withMessageContaining("is closed");
    assertThatIllegalStateException().isThrownBy(() -> queuePair.addressHandle(PEER));
    assertThatIllegalStateException().isThrownBy(() -> queuePair.modifyQueueKey(1));
    assertThatIllegalStateException().isThrownBy(queuePair::restartSendQueue);
    assertThatIllegalStateException().isThrownBy(queuePair::endpoint);
  }

  @Test
  void argumentsOutsideTheirRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.udQueuePair(completions).gidIndex(256));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathOptions(256, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathOptions(0, 16, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new PathOptions(0, 0, 1 << 20));
  }
}
