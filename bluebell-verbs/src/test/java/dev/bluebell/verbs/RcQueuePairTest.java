package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Qp2ErrIn;
import dev.bluebell.hca.command.QpTransitions.Qp2rstIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The commands that create a queue pair and move it through its states. */
class RcQueuePairTest {
  private static final int OPT_ACCESS = 0xe;
  private static final int OPT_RNR_TIMEOUT = 0x40;
  private static final QueuePairEndpoint PEER =
      new QueuePairEndpoint(Gid.ofIpv4(0x0a000002), 0x00beef, 0x123456, 4096, 8);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);

  private RcQueuePair create() {
    return domain.rcQueuePair(completions).create();
  }

  @Test
  void creationNamesQueuesRecordsAndRegisters() {
    CompletionQueue receives = device.createCompletionQueue(64);
    RcQueuePair queuePair =
        domain
            .rcQueuePair(completions)
            .sendQueue(100)
            .receiveQueue(20)
            .maxScatter(3)
            .receiveCompletions(receives)
            .create();
    View command = hca.command(CommandOpcode.CREATE_QP);
    assertThat(command.getInt(CreateQpIn.UID)).isZero();
    assertThat(command.isSet(CreateQpIn.WQ_UMEM_VALID)).isTrue();
    assertThat(command.get(CreateQpIn.WQ_UMEM_OFFSET)).isZero();
    // 32 receives of 64 bytes, then 128 WQEBBs, in whole pages.
    MemorySegment queues = hca.umems.get(command.getInt(CreateQpIn.WQ_UMEM_ID));
    assertThat(queues.byteSize()).isEqualTo(12288);
    assertThat(queues.address() % 4096).isZero();
    View qpc = command.at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.ST)).isZero();
    assertThat(qpc.getInt(Qpc.PM_STATE)).isEqualTo(3);
    assertThat(qpc.getInt(Qpc.PD)).isEqualTo(domain.number());
    assertThat(qpc.getInt(Qpc.LOG_MSG_MAX)).isEqualTo(30);
    assertThat(qpc.getInt(Qpc.LOG_SQ_SIZE)).isEqualTo(7);
    assertThat(qpc.isSet(Qpc.NO_SQ)).isFalse();
    assertThat(qpc.getInt(Qpc.RQ_TYPE)).isZero();
    assertThat(qpc.getInt(Qpc.LOG_RQ_SIZE)).isEqualTo(5);
    assertThat(qpc.getInt(Qpc.LOG_RQ_STRIDE)).isEqualTo(2);
    // The reserved key addresses all memory, so the kernel keeps it and its requests to itself.
    assertThat(qpc.isSet(Qpc.RLKY)).isFalse();
    assertThat(qpc.isSet(Qpc.FRE)).isFalse();
    assertThat(qpc.getInt(Qpc.USER_INDEX)).isZero();
    assertThat(qpc.getInt(Qpc.CQN_SND)).isEqualTo(completions.number());
    assertThat(qpc.getInt(Qpc.CQN_RCV)).isEqualTo(receives.number());
    assertThat(qpc.getInt(Qpc.CS_REQ)).isZero();
    assertThat(qpc.getInt(Qpc.CS_RES)).isZero();
    assertThat(qpc.isSet(Qpc.DBR_UMEM_VALID)).isTrue();
    assertThat(hca.umems).containsKey(qpc.getInt(Qpc.DBR_UMEM_ID));
    assertThat(qpc.get(Qpc.DBR_ADDR) % 64).isZero();
    assertThat(queuePair.sendQueueWqebbs()).isEqualTo(128);
    assertThat(queuePair.receiveQueueRequests()).isEqualTo(32);
    assertThat(queuePair.freeReceives()).isEqualTo(32);
  }

  @Test
  void requestsForASoftwareDeviceReachTheRingWithTheDoorbell() {
    RcQueuePair queuePair = domain.rcQueuePair(completions).receiveQueue(0).create();
    queuePair.connect(PEER);
    queuePair.nop().signaled(1);
    assertThat(firstRequest()).isZero();
    queuePair.ringDoorbell();
    assertThat(firstRequest()).isNotZero();
  }

  @Test
  void requestsForACardAreBuiltInTheRing() {
    hca.isCard = true;
    RcQueuePair queuePair = domain.rcQueuePair(completions).receiveQueue(0).create();
    queuePair.connect(PEER);
    queuePair.nop().signaled(1);
    assertThat(firstRequest()).isNotZero();
  }

  @Test
  void requestsOfQueuePairsInProgramsAreBuiltInTheRing() {
    hca.caps.set(CmdHcaCap.CD, 1);
    try (Device other = Device.over(hca)) {
      CompletionQueue queue = other.createCompletionQueue(64);
      RcQueuePairBuilder builder = other.allocateProtectionDomain().rcQueuePair(queue);
      MasterQueuePair queuePair = builder.receiveQueue(0).crossChannel().create();
      queuePair.nop().signaled(1);
      assertThat(firstRequest()).isNotZero();
    }
  }

  /** Length of the first request in the ring of the last queue pair, in units of 16 bytes. */
  private int firstRequest() {
    View command = hca.lastCommand(CommandOpcode.CREATE_QP);
    MemorySegment queues = hca.umems.get(command.getInt(CreateQpIn.WQ_UMEM_ID));
    return queues.get(ValueLayout.JAVA_BYTE, 7) & 0x3f;
  }

  @Test
  void aQueuePairWithoutReceiveQueueRefusesReceives() {
    RcQueuePair queuePair = domain.rcQueuePair(completions).receiveQueue(0).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.RQ_TYPE)).isEqualTo(3);
    assertThat(qpc.getInt(Qpc.LOG_RQ_SIZE)).isZero();
    assertThat(queuePair.freeReceives()).isZero();
    assertThat(queuePair.receiveQueueRequests()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(queuePair::receive)
        .withMessageContaining("receiveQueue(n)");
    assertThatIllegalStateException().isThrownBy(queuePair::ringReceiveDoorbell);
  }

  @Test
  void aTinyReceiveQueueStillLeavesTheSendQueueAligned() {
    RcQueuePair queuePair = domain.rcQueuePair(completions).receiveQueue(1).create();
    // Four requests of 16 bytes are one block of 64.
    assertThat(queuePair.receiveQueueRequests()).isEqualTo(4);
  }

  @Test
  void theSendQueueHasRoomForTheRequestsAskedFor() {
    RcQueuePair queuePair =
        Connected.toItself(
            domain.rcQueuePair(completions).sendQueue(10).maxInline(100).maxGather(4).create());
    // 32 and 104 bytes make 3 WQEBBs, 10 of them 30, and 32 is the next power of two.
    assertThat(queuePair.maxSendWqeBytes()).isEqualTo(192);
    assertThat(queuePair.sendQueueWqebbs()).isEqualTo(32);
    for (int i = 0; i < 10; i++) {
      queuePair.write(0, 1).inline(new byte[100], 0, 100).signaled(i);
    }
    assertThat(queuePair.freeWqebbs()).isEqualTo(2);
  }

  @Test
  void nopFillAddsRoomForTheLongestFill() {
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).sendQueue(2).maxInline(220).nopFill(true).create();
    // Two requests of 4 WQEBBs and a fill of 3.
    assertThat(queuePair.sendQueueWqebbs()).isEqualTo(16);
  }

  @Test
  void sizesThatTheDeviceDoesNotTakeAreRefusedWithTheRemedy() {
    hca.caps =
        FakeHca.defaultCaps().set(CmdHcaCap.LOG_MAX_QP_SZ, 8).set(CmdHcaCap.MAX_WQE_SZ_SQ, 256);
    Device small = Device.over(hca);
    ProtectionDomain other = small.allocateProtectionDomain();
    CompletionQueue queue = small.createCompletionQueue(16);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> other.rcQueuePair(queue).maxInline(221).create())
        .withMessageContaining(
            "maxInline(221) need requests of 320 bytes, and the device takes 256");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> other.rcQueuePair(queue).sendQueue(257).create())
        .withMessageContaining("sendQueue(257) needs 257 WQEBBs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> other.rcQueuePair(queue).receiveQueue(257).create())
        .withMessageContaining("receiveQueue(257)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> other.rcQueuePair(queue).maxScatter(33).create())
        .withMessageContaining("maxScatter(33)");
    assertThat(hca.commands).doesNotContainKey(CommandOpcode.CREATE_QP);
  }

  @Test
  void argumentsOutsideTheirRangeAreRefused() {
    RcQueuePairBuilder plan = domain.rcQueuePair(completions);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan.sendQueue(0))
        .withMessage("sendQueue must be from 1 to 32768, not 0");
    assertThatIllegalArgumentException().isThrownBy(() -> plan.receiveQueue(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.maxGather(62));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.maxInline(973));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.maxScatter(0));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.port(0));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.gidIndex(256));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.pkeyIndex(65536));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.responderResources(0));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.initialPsn(1 << 24));
    ConnectOptions options = ConnectOptions.DEFAULT;
    assertThatIllegalArgumentException().isThrownBy(() -> options.withPathMtu(1500));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxReads(0));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withTimeout(32));
    Duration centuries = Duration.ofDays(300 * 365);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withTimeout(centuries))
        .withMessageContaining("2.4 hours");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withMinRnrTimer(centuries))
        .withMessageContaining("655.36 ms");
    assertThatIllegalArgumentException().isThrownBy(() -> options.withRetryCount(8));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withRnrRetry(8));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMinRnrTimer(32));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withTrafficClass(256));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withServiceLevel(16));
  }

  @Test
  void aNewQueuePairIsInInitWithItsRights() {
    RcQueuePair queuePair =
        domain
            .rcQueuePair(completions)
            .port(2)
            .pkeyIndex(5)
            .access(Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)
            .create();
    View command = hca.command(CommandOpcode.RST2INIT_QP);
    assertThat(command.getInt(Rst2initQpIn.QPN)).isEqualTo(queuePair.number());
    View qpc = command.at(Rst2initQpIn.QPC);
    assertThat(qpc.getInt(Qpc.PM_STATE)).isEqualTo(3);
    assertThat(qpc.isSet(Qpc.RRE)).isFalse();
    assertThat(qpc.isSet(Qpc.RWE)).isTrue();
    assertThat(qpc.isSet(Qpc.RAE)).isTrue();
    assertThat(qpc.getInt(Qpc.ATOMIC_MODE)).isEqualTo(1);
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    assertThat(path.getInt(Ads.VHCA_PORT_NUM)).isEqualTo(2);
    assertThat(path.getInt(Ads.PKEY_INDEX)).isEqualTo(5);
  }

  @Test
  void connectingSetsTheWholePath() {
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).gidIndex(3).initialPsn(0x777777).create();
    queuePair.connect(
        PEER,
        ConnectOptions.DEFAULT
            .withTimeout(18)
            .withRetryCount(3)
            .withRnrRetry(2)
            .withMinRnrTimer(9)
            .withTrafficClass(0x68)
            .withServiceLevel(4));
    assertThat(hca.log).contains("resolve port 1 gid 3 " + PEER.gid());

    View toRtr = hca.command(CommandOpcode.INIT2RTR_QP);
    assertThat(toRtr.getInt(Init2rtrQpIn.QPN)).isEqualTo(queuePair.number());
    assertThat(toRtr.getInt(Init2rtrQpIn.OPT_PARAM_MASK)).isEqualTo(OPT_ACCESS);
    View qpc = toRtr.at(Init2rtrQpIn.QPC);
    // The port's 1024 bytes are less than the peer's 4096.
    assertThat(qpc.getInt(Qpc.MTU)).isEqualTo(3);
    assertThat(qpc.getInt(Qpc.REMOTE_QPN)).isEqualTo(0x00beef);
    assertThat(qpc.getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(0x123456);
    assertThat(qpc.getInt(Qpc.LOG_RRA_MAX)).isEqualTo(4);
    assertThat(qpc.getInt(Qpc.MIN_RNR_NAK)).isEqualTo(9);
    assertThat(qpc.isSet(Qpc.RRE)).isTrue();
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    assertThat(path.getBytes(Ads.RGID_RIP)).isEqualTo(PEER.gid().bytes());
    assertThat(path.getInt(Ads.SRC_ADDR_INDEX)).isEqualTo(3);
    assertThat(path.getInt(Ads.RMAC_47_32)).isEqualTo(0x0123);
    assertThat(path.get(Ads.RMAC_31_0)).isEqualTo(0x456789abL);
    assertThat(path.getInt(Ads.HOP_LIMIT)).isEqualTo(64);
    assertThat(path.getInt(Ads.UDP_SPORT)).isEqualTo(0xc123);
    assertThat(path.getInt(Ads.DSCP)).isEqualTo(0x1a);
    assertThat(path.getInt(Ads.ETH_PRIO)).isEqualTo(4);
    assertThat(path.getInt(Ads.VHCA_PORT_NUM)).isEqualTo(1);

    View toRts = hca.command(CommandOpcode.RTR2RTS_QP);
    assertThat(toRts.getInt(Rtr2rtsQpIn.QPN)).isEqualTo(queuePair.number());
    View rts = toRts.at(Rtr2rtsQpIn.QPC);
    assertThat(rts.getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0x777777);
    // The peer serves 8 at a time.
    assertThat(rts.getInt(Qpc.LOG_SRA_MAX)).isEqualTo(3);
    assertThat(rts.getInt(Qpc.RETRY_COUNT)).isEqualTo(3);
    assertThat(rts.getInt(Qpc.RNR_RETRY)).isEqualTo(2);
    assertThat(rts.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.ACK_TIMEOUT)).isEqualTo(18);
  }

  @Test
  void aDeviceWithoutRoceHasNoQueuePairs() {
    hca.port = new HcaPort(1, LinkLayer.ETHERNET, true, 1024, 4096, 0, 1, 0, 0, 0, 0, 0, false);
    assertThatIllegalStateException()
        .isThrownBy(this::create)
        .withMessage(
            "port 1 of device fake has no GIDs: RoCE is switched off there"
                + " (devlink dev param show lists enable_roce)");
    assertThat(hca.commands).doesNotContainKey(CommandOpcode.CREATE_QP);
  }

  @Test
  void aPathOfRoceV1HasNoFieldsOfUdpAndIp() {
    hca.path = FakeHca.PATH_OF_V1;
    RcQueuePair queuePair = domain.rcQueuePair(completions).gidIndex(0).create();
    queuePair.connect(PEER, ConnectOptions.DEFAULT.withTrafficClass(0x68).withServiceLevel(4));
    View path =
        hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC).at(Qpc.PRIMARY_ADDRESS_PATH);
    assertThat(path.getInt(Ads.UDP_SPORT)).isZero();
    assertThat(path.getInt(Ads.DSCP)).isZero();
    assertThat(path.getInt(Ads.TCLASS)).isEqualTo(0x68);
    assertThat(path.getInt(Ads.ETH_PRIO)).isEqualTo(4);
  }

  @Test
  void aConnectionManagerChoosesGidAndSequenceNumberOfThisSide() {
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).gidIndex(3).initialPsn(0x777777).create();
    queuePair.connect(PEER, ConnectOptions.DEFAULT, 2, 0xabcdef);
    assertThat(hca.log).contains("resolve port 1 gid 2 " + PEER.gid());
    View qpc = hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC);
    assertThat(qpc.at(Qpc.PRIMARY_ADDRESS_PATH).getInt(Ads.SRC_ADDR_INDEX)).isEqualTo(2);
    assertThat(qpc.getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(PEER.psn());
    View rts = hca.command(CommandOpcode.RTR2RTS_QP).at(Rtr2rtsQpIn.QPC);
    assertThat(rts.getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0xabcdef);
    assertThat(queuePair.endpoint().psn()).isEqualTo(0xabcdef);
    queuePair.reset();
    assertThat(queuePair.endpoint().psn()).isEqualTo(0x777777);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queuePair.connect(PEER, ConnectOptions.DEFAULT, 2, 1 << 24));
  }

  @Test
  void thePathMtuAndTheReadsCanBeChosen() {
    create().connect(PEER, ConnectOptions.DEFAULT.withPathMtu(256).withMaxReads(5));
    View qpc = hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC);
    assertThat(qpc.getInt(Qpc.MTU)).isEqualTo(1);
    View rts = hca.command(CommandOpcode.RTR2RTS_QP).at(Rtr2rtsQpIn.QPC);
    // Never more than requested: 4, because the field holds only powers of two.
    assertThat(rts.getInt(Qpc.LOG_SRA_MAX)).isEqualTo(2);
  }

  @Test
  void theEndpointIsWhatThePeerNeeds() {
    RcQueuePair queuePair =
        domain.rcQueuePair(completions).initialPsn(0x111111).responderResources(64).create();
    assertThat(queuePair.endpoint())
        .isEqualTo(new QueuePairEndpoint(FakeHca.GID, queuePair.number(), 0x111111, 1024, 16));
  }

  @Test
  void sequenceNumbersAreDrawnAtRandom() {
    Set<Integer> numbers = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      numbers.add(create().endpoint().psn());
    }
    assertThat(numbers).hasSizeGreaterThan(1);
  }

  @Test
  void aConnectedQueuePairDoesNotConnectAgain() {
    RcQueuePair queuePair = create();
    queuePair.connect(PEER);
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.connect(PEER))
        .withMessageContaining("is in state RTS")
        .withMessageContaining("reset it");
  }

  @Test
  void afterAResetItConnectsAgain() {
    RcQueuePair queuePair = create();
    queuePair.connect(PEER);
    queuePair.nop().signaled(1);
    queuePair.receive().empty().post(1);
    queuePair.reset();
    assertThat(hca.command(CommandOpcode.QP_2RST).getInt(Qp2rstIn.QPN))
        .isEqualTo(queuePair.number());
    assertThat(hca.commands.get(CommandOpcode.RST2INIT_QP)).hasSize(2);
    assertThat(queuePair.freeWqebbs()).isEqualTo(queuePair.sendQueueWqebbs());
    assertThat(queuePair.freeReceives()).isEqualTo(queuePair.receiveQueueRequests());
    queuePair.connect(PEER);
    assertThat(hca.commands.get(CommandOpcode.RTR2RTS_QP)).hasSize(2);
  }

  @Test
  void aRefusedConnectionCanBeResetAndTriedAgain() {
    RcQueuePair queuePair = create();
    hca.refused.add(CommandOpcode.RTR2RTS_QP);
    assertThatThrownBy(() -> queuePair.connect(PEER)).isInstanceOf(HcaException.class);
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.connect(PEER))
        .withMessageContaining("is in state RTR");
    hca.refused.clear();
    queuePair.reset();
    queuePair.connect(PEER);
  }

  @Test
  void toErrorSendsOneCommand() {
    RcQueuePair queuePair = create();
    queuePair.toError();
    assertThat(hca.command(CommandOpcode.QP_2ERR).getInt(Qp2ErrIn.QPN))
        .isEqualTo(queuePair.number());
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.connect(PEER))
        .withMessageContaining("is in state ERROR");
  }

  @Test
  void accessIsChangedAsTheStateRequires() {
    RcQueuePair queuePair = create();
    queuePair.modifyAccess(Access.REMOTE_READ);
    View inInit = hca.command(CommandOpcode.INIT2INIT_QP);
    assertThat(inInit.getInt(Init2initQpIn.OPT_PARAM_MASK)).isEqualTo(OPT_ACCESS);
    assertThat(inInit.at(Init2initQpIn.QPC).isSet(Qpc.RRE)).isTrue();
    assertThat(inInit.at(Init2initQpIn.QPC).isSet(Qpc.RWE)).isFalse();

    queuePair.connect(PEER);
    assertThat(hca.command(CommandOpcode.INIT2RTR_QP).at(Init2rtrQpIn.QPC).isSet(Qpc.RWE))
        .isFalse();
    queuePair.modifyAccess(Access.REMOTE_WRITE);
    View inRts = hca.command(CommandOpcode.RTS2RTS_QP);
    assertThat(inRts.getInt(Rts2rtsQpIn.OPT_PARAM_MASK)).isEqualTo(OPT_ACCESS);
    assertThat(inRts.at(Rts2rtsQpIn.QPC).isSet(Qpc.RRE)).isFalse();
    assertThat(inRts.at(Rts2rtsQpIn.QPC).isSet(Qpc.RWE)).isTrue();

    queuePair.toError();
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.modifyAccess(Access.REMOTE_WRITE))
        .withMessageContaining("only in INIT and RTS");
  }

  @Test
  void theRnrTimerIsChangedInRts() {
    RcQueuePair queuePair = create();
    assertThatIllegalStateException().isThrownBy(() -> queuePair.modifyMinRnrTimer(20));
    queuePair.connect(PEER);
    queuePair.modifyMinRnrTimer(20);
    View command = hca.command(CommandOpcode.RTS2RTS_QP);
    assertThat(command.getInt(Rts2rtsQpIn.OPT_PARAM_MASK)).isEqualTo(OPT_RNR_TIMEOUT);
    assertThat(command.at(Rts2rtsQpIn.QPC).getInt(Qpc.MIN_RNR_NAK)).isEqualTo(20);
    assertThatIllegalArgumentException().isThrownBy(() -> queuePair.modifyMinRnrTimer(32));
  }

  @Test
  void aQueryReturnsTheStateOfTheDevice() {
    RcQueuePair queuePair = create();
    View answer = View.of(QueryQpOut.STRUCTURE);
    View qpc = answer.at(QueryQpOut.QPC);
    qpc.set(Qpc.STATE, 3)
        .set(Qpc.MTU, 4)
        .set(Qpc.REMOTE_QPN, 0x00beef)
        .set(Qpc.NEXT_SEND_PSN, 5)
        .set(Qpc.NEXT_RCV_PSN, 6)
        .set(Qpc.LOG_SRA_MAX, 2)
        .set(Qpc.LOG_RRA_MAX, 3)
        .set(Qpc.MIN_RNR_NAK, 7)
        .set(Qpc.RETRY_COUNT, 1)
        .set(Qpc.RNR_RETRY, 2)
        .set(Qpc.RWE, true)
        .at(Qpc.PRIMARY_ADDRESS_PATH)
        .set(Ads.ACK_TIMEOUT, 14)
        .setBytes(Ads.RGID_RIP, PEER.gid().bytes());
    hca.queryQp = answer.bytes();
    assertThat(queuePair.query())
        .isEqualTo(
            new QueuePairAttributes(
                QueuePairState.RTS,
                Set.of(Access.REMOTE_WRITE),
                2048,
                PEER.gid(),
                0,
                0x00beef,
                5,
                6,
                4,
                8,
                7,
                14,
                1,
                2));
    qpc.set(Qpc.STATE, 9);
    assertThat(queuePair.query().state()).isEqualTo(QueuePairState.UNKNOWN);
  }

  @Test
  void aRefusedCreationLeavesNothingBehind() {
    hca.refused.add(CommandOpcode.RST2INIT_QP);
    expectNothingLeft(HcaException.class);
  }

  @Test
  void aCreationThatRunsOutOfMemoryLeavesNothingBehind() {
    hca.onModify =
        command -> {
          throw new OutOfMemoryError("as the test says");
        };
    expectNothingLeft(OutOfMemoryError.class);
  }

  @Test
  void aQueuePairWithoutMemoryForItsRingsIsDestroyed() {
    hca.last.add("QP");
    expectNothingLeft(OutOfMemoryError.class);
  }

  private void expectNothingLeft(Class<? extends Throwable> failure) {
    int umems = hca.umems.size();
    assertThatThrownBy(this::create).isInstanceOf(failure);
    assertThat(hca.closings()).containsExactly("QP");
    assertThat(hca.umems).hasSize(umems);
    completions.close();
    domain.close();
  }

  @Test
  void registersAndRecordsBelongToOneQueuePairAndAreUsedAgain() {
    RcQueuePair first = create();
    RcQueuePair second = create();
    RcQueuePair third = create();
    Set<String> places = new HashSet<>();
    for (byte[] command : hca.commands.get(CommandOpcode.CREATE_QP)) {
      View qpc = View.over(command).at(CreateQpIn.QPC);
      places.add("%d %d".formatted(qpc.getInt(Qpc.DBR_UMEM_ID), qpc.get(Qpc.DBR_ADDR)));
    }
    assertThat(places).hasSize(3);
    long pages = hca.log.stream().filter("allocate UAR"::equals).count();
    assertThat(pages).isEqualTo(2);
    first.close();
    second.close();
    third.close();
    for (int i = 0; i < 4; i++) {
      create();
    }
    assertThat(hca.log.stream().filter("allocate UAR"::equals).count()).isEqualTo(pages);
  }

  @Test
  void theUserIndexOfAClosedQueuePairWaitsUntilItsCompletionQueueIsEmpty() {
    PlayedCompletions played = new PlayedCompletions(hca);
    RcQueuePair closed = Connected.toItself(create());
    closed.nop().signaled(1);
    closed.ringDoorbell();
    played.write(CqeOpcode.REQ, lastUserIndex(), closed.number(), 0, 0);
    closed.close();
    create();
    assertThat(lastUserIndex()).isEqualTo(1);
    assertThat(completions.poll()).isNull();
    create();
    assertThat(lastUserIndex()).isZero();
  }

  @Test
  void aCompletionQueueThatIsNeverPolledKeepsNoUserIndices() {
    for (int i = 0; i < 10; i++) {
      create().close();
    }
    assertThat(lastUserIndex()).isZero();
  }

  private int lastUserIndex() {
    return hca.lastCommand(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC).getInt(Qpc.USER_INDEX);
  }

  @Test
  void aClosedQueuePairRefusesWork() {
    RcQueuePair queuePair = create();
    queuePair.close();
    queuePair.close();
    assertThat(hca.closings()).containsExactly("QP");
    assertThatIllegalStateException()
        .isThrownBy(() -> queuePair.nop().signaled(1))
        .withMessageContaining("is closed");
    assertThatIllegalStateException().isThrownBy(() -> queuePair.receive().empty().post(1));
    assertThatIllegalStateException().isThrownBy(() -> queuePair.connect(PEER));
    assertThatIllegalStateException().isThrownBy(queuePair::reset);
    assertThatIllegalStateException().isThrownBy(queuePair::toError);
    assertThatIllegalStateException().isThrownBy(queuePair::query);
    assertThatIllegalStateException().isThrownBy(queuePair::endpoint);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(queuePair::ringDoorbell);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(queuePair::ringReceiveDoorbell);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(queuePair::hasRoom);
  }

  @Test
  void halfBuiltRequestsOfBothQueuesAreDropped() {
    RcQueuePair queuePair = Connected.toItself(create());
    assertThat(queuePair.dropUnfinished()).isFalse();
    RequestModifiers send = queuePair.nop();
    ReceiveEnd receive = queuePair.receive().empty();
    assertThat(queuePair.dropUnfinished()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> send.signaled(1));
    assertThatIllegalStateException().isThrownBy(() -> receive.post(1));
  }

  @Test
  void blueFlameIsUsedOnlyWhereTheDeviceHasIt() {
    assertThat(bytesInRegister(true, true)).isEqualTo(64);
    assertThat(bytesInRegister(true, false)).isEqualTo(8);
    assertThat(bytesInRegister(false, true)).isEqualTo(8);
  }

  /** How much a queue pair writes into its register when it rings for one request of 64 bytes. */
  private static int bytesInRegister(boolean wanted, boolean available) {
    FakeHca fake = new FakeHca();
    fake.caps.set(CmdHcaCap.BF, available);
    Device plain = Device.over(fake);
    RcQueuePair queuePair =
        Connected.toItself(
            plain
                .allocateProtectionDomain()
                .rcQueuePair(plain.createCompletionQueue(16))
                .blueFlame(wanted)
                .create());
    byte[] data = new byte[28];
    Arrays.fill(data, (byte) 0xff);
    queuePair.write(0x1000, 7).inline(data, 0, 28).signaled(1);
    queuePair.ringDoorbell();
    // A doorbell of 8 bytes would wait on a page for copies, which is write-combining on a card.
    boolean copies = wanted && available;
    assertThat(fake.blueFlamePages).hasSize(copies ? 1 : 0);
    MemorySegment page = copies ? fake.blueFlamePages.getFirst() : fake.uarPages.getFirst();
    byte[] register = page.asSlice(0x800, 256).toArray(ValueLayout.JAVA_BYTE);
    int end = register.length;
    while (register[end - 1] == 0) {
      end--;
    }
    return end;
  }

  @Test
  void aClosedQueuePairDoesNotReportPendingRequests() {
    RcQueuePair queuePair = Connected.toItself(domain.rcQueuePair(completions).create());
    queuePair.nop().signaled(1);
    queuePair.ringDoorbell();
    queuePair.close();
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(queuePair::pending)
        .withMessageContaining("%s is closed", queuePair);
  }

  @Test
  void aQueuePairHasTheAddressThatItsPortHasAtItsCreation() {
    hca.gid = Gid.ZERO;
    Gid before = Gid.ofIpv4(0x0a000002);
    hca.gids.put(1, before);
    RcQueuePair first = create();
    assertThat(first.endpoint().gid()).isEqualTo(before);
    Gid after = Gid.ofIpv4(0x0a000003);
    hca.gids.clear();
    hca.gids.put(2, after);
    assertThat(create().endpoint().gid()).isEqualTo(after);
  }
}
