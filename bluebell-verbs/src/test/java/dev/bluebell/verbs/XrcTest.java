package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.command.XrcSrqCommands.ArmXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Domains, shared receive queues, targets and initiators of extended reliable connections. */
class XrcTest {
  private static final QueuePairEndpoint PEER =
      new QueuePairEndpoint(Gid.ofIpv4(0x0a000002), 0x00beef, 0x123456, 1024, 4);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);
  private final XrcDomain xrcDomain = device.allocateXrcDomain();

  @AfterEach
  void close() {
    device.close();
  }

  private XrcSharedReceiveQueue receives() {
    return domain.xrcSharedReceiveQueue(xrcDomain, completions).create();
  }

  @Test
  void creationDescribesALinkedListInTheDomain() {
    XrcSharedReceiveQueue receives =
        domain.xrcSharedReceiveQueue(xrcDomain, completions).requests(20).maxScatter(4).create();
    assertThat(receives.requests()).isEqualTo(31);
    assertThat(receives.maxScatter()).isEqualTo(7);
    View command = hca.command(CommandOpcode.CREATE_XRC_SRQ);
    assertThat(command.isSet(CreateXrcSrqIn.XRC_SRQ_UMEM_VALID)).isTrue();
    assertThat(hca.umems.get(command.getInt(XrcSrqUmems.WQ_UMEM_ID)).byteSize()).isEqualTo(4096);
    View context = command.at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY);
    assertThat(context.getInt(XrcSrqc.LOG_XRC_SRQ_SIZE)).isEqualTo(5);
    assertThat(context.getInt(XrcSrqc.LOG_RQ_STRIDE)).isEqualTo(3);
    assertThat(context.getInt(XrcSrqc.XRCD)).isEqualTo(xrcDomain.number());
    assertThat(context.getInt(XrcSrqc.CQN)).isEqualTo(completions.number());
    assertThat(context.getInt(XrcSrqc.PD)).isEqualTo(domain.number());
    assertThat(context.isSet(XrcSrqc.DBR_UMEM_VALID)).isTrue();
    assertThat(hca.umems).containsKey(context.getInt(XrcSrqUmems.DBR_UMEM_ID));
  }

  @Test
  void queuesHaveDifferentUserIndices() {
    assertThat(receives()).doesNotHaveToString(receives().toString());
    assertThat(hca.commands.get(CommandOpcode.CREATE_XRC_SRQ))
        .extracting(
            bytes ->
                View.over(bytes)
                    .at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY)
                    .getInt(XrcSrqc.USER_INDEX))
        .doesNotHaveDuplicates();
  }

  @Test
  void aLimitIsArmedAndReportedToItsHandler() {
    XrcSharedReceiveQueue receives = receives();
    AtomicInteger calls = new AtomicInteger();
    receives.arm(7, calls::incrementAndGet);
    View command = hca.command(CommandOpcode.ARM_XRC_SRQ);
    assertThat(command.getInt(CmdIn.OP_MOD)).isEqualTo(1);
    assertThat(command.getInt(ArmXrcSrqIn.XRC_SRQN)).isEqualTo(receives.number());
    assertThat(command.getInt(ArmXrcSrqIn.LWM)).isEqualTo(7);
    hca.channels.getFirst().raise(HcaEvent.SRQ_LIMIT, receives.number(), 0);
    assertThat(device.pollEvent())
        .isEqualTo(new AsyncEvent(AsyncEvent.Type.RECEIVE_LIMIT, receives.number(), 0));
    assertThat(calls).hasValue(1);
    assertThatIllegalArgumentException().isThrownBy(() -> receives.arm(256));
  }

  @Test
  void aTargetHasNoQueue() {
    XrcTarget target = xrcDomain.target().access(Access.REMOTE_READ).port(2).pkeyIndex(5).create();
    View command = hca.command(CommandOpcode.CREATE_QP);
    assertThat(command.isSet(CreateQpIn.WQ_UMEM_VALID)).isFalse();
    View qpc = command.at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.ST)).isEqualTo(3);
    assertThat(qpc.isSet(Qpc.NO_SQ)).isTrue();
    assertThat(qpc.getInt(Qpc.RQ_TYPE)).isEqualTo(Qpc.RQ_TYPE_SHARED);
    assertThat(qpc.getInt(Qpc.XRCD)).isEqualTo(xrcDomain.number());
    assertThat(qpc.isSet(Qpc.DBR_UMEM_VALID)).isFalse();
    View init = hca.command(CommandOpcode.RST2INIT_QP).at(Rst2initQpIn.QPC);
    assertThat(init.isSet(Qpc.RRE)).isTrue();
    assertThat(init.isSet(Qpc.RWE)).isFalse();
    assertThat(init.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.VHCA_PORT_NUM)).isEqualTo(2);
    assertThat(init.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.PKEY_INDEX)).isEqualTo(5);
    assertThat(target.endpoint().qpn()).isEqualTo(target.number());
  }

  @Test
  void aTargetConnectsChangesAndStartsAnew() {
    XrcTarget target = xrcDomain.target().gidIndex(3).responderResources(8).create();
    target.connect(PEER);
    assertThat(hca.log).contains("resolve port 1 gid 3 " + PEER.gid());
    View rtr = hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC);
    assertThat(rtr.getInt(Qpc.REMOTE_QPN)).isEqualTo(PEER.qpn());
    assertThat(rtr.getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(PEER.psn());
    assertThat(rtr.getInt(Qpc.LOG_RRA_MAX)).isEqualTo(3);
    target.modifyMinRnrTimer(9);
    target.modifyAccess(Access.REMOTE_WRITE);
    View changed = hca.lastCommand(CommandOpcode.RTS2RTS_QP).at(Rts2rtsQpIn.QPC);
    assertThat(changed.isSet(Qpc.RWE)).isTrue();
    assertThat(changed.isSet(Qpc.RRE)).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> target.connect(PEER));
    target.toError();
    target.reset();
    target.connect(PEER);
    assertThat(hca.commands.get(CommandOpcode.QP_2RST)).hasSize(1);
    assertThat(target.query().access()).isEmpty();
  }

  @Test
  void anInitiatorNamesTheQueueInEachRequest() {
    XrcInitiator initiator = domain.xrcInitiator(completions).initialPsn(0x999).create();
    View command = hca.command(CommandOpcode.CREATE_QP);
    View qpc = command.at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.ST)).isEqualTo(3);
    assertThat(qpc.isSet(Qpc.NO_SQ)).isFalse();
    assertThat(qpc.getInt(Qpc.RQ_TYPE)).isEqualTo(Qpc.RQ_TYPE_SHARED);
    assertThat(initiator.endpoint().psn()).isEqualTo(0x999);
    initiator.connect(PEER);
    initiator.toSharedReceives(0xabcdef).send().gather(0x1000, 8, 7).signaled(1);
    initiator.ringDoorbell();
    byte[] ring =
        hca.umems
            .get(command.getInt(CreateQpIn.WQ_UMEM_ID))
            .asSlice(0, 48)
            .toArray(ValueLayout.JAVA_BYTE);
    assertThat(HexFormat.of().formatHex(ring, 16, 48))
        .isEqualTo("00abcdef000000000000000000000000" + "00000008000000070000000000001000");
    assertThatIllegalArgumentException().isThrownBy(() -> initiator.toSharedReceives(1 << 24));
  }

  @Test
  void anInitiatorStartsAnewAfterAReset() {
    XrcInitiator initiator = domain.xrcInitiator(completions).gidIndex(2).create();
    initiator.connect(PEER);
    initiator.toSharedReceives(5).send().signaled(1);
    initiator.reset();
    assertThat(initiator.freeWqebbs()).isEqualTo(initiator.sendQueueWqebbs());
    initiator.connect(PEER);
    assertThat(hca.log).contains("resolve port 1 gid 2 " + PEER.gid());
  }

  @Test
  void objectsInUseCannotBeClosed() {
    XrcSharedReceiveQueue receives = receives();
    XrcTarget target = xrcDomain.target().create();
    assertThatIllegalStateException()
        .isThrownBy(xrcDomain::close)
        .withMessageContaining("is still used by %s, %s".formatted(receives, target));
    assertThatIllegalStateException().isThrownBy(completions::close);
    assertThatIllegalStateException().isThrownBy(domain::close);
    target.close();
    target.close();
    receives.close();
    xrcDomain.close();
    xrcDomain.close();
    completions.close();
    assertThatIllegalStateException().isThrownBy(target::endpoint);
    assertThatIllegalStateException().isThrownBy(() -> xrcDomain.target().create());
    assertThatIllegalStateException().isThrownBy(this::receives);
  }

  @Test
  void aRefusedCreationLeavesNothingBehind() {
    hca.refused.add(CommandOpcode.CREATE_XRC_SRQ);
    assertThatThrownBy(this::receives).isInstanceOf(HcaException.class);
    hca.refused.add(CommandOpcode.RST2INIT_QP);
    assertThatThrownBy(() -> xrcDomain.target().create()).isInstanceOf(HcaException.class);
    xrcDomain.close();
    completions.close();
    hca.refused.add(CommandOpcode.ALLOC_XRCD);
    assertThatThrownBy(device::allocateXrcDomain).isInstanceOf(HcaException.class);
  }

  @Test
  void partsOfTwoDevicesMakeNoQueue() {
    try (Device other = Device.over(new FakeHca())) {
      CompletionQueue foreign = other.createCompletionQueue(16);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> domain.xrcSharedReceiveQueue(xrcDomain, foreign).create())
          .withMessageContaining("use one device");
      XrcDomain foreignDomain = other.allocateXrcDomain();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> domain.xrcSharedReceiveQueue(foreignDomain, completions).create());
    }
  }
}
