package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.command.QpTransitions.Sqerr2rtsQpIn;
import dev.bluebell.hca.structure.View;
import org.junit.jupiter.api.Test;

/** The commands of an unreliable-connection queue pair. */
class UcQueuePairTest {
  private static final QueuePairEndpoint PEER =
      new QueuePairEndpoint(Gid.ofIpv4(0x0a000002), 0x00beef, 0x123456, 4096, 0);

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(64);

  @Test
  void creationHasTheServiceTypeAndRightsOfUc() {
    UcQueuePair queuePair = domain.ucQueuePair(completions).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.ST)).isEqualTo(1);
    View toInit = hca.command(CommandOpcode.RST2INIT_QP);
    assertThat(toInit.getInt(Rst2initQpIn.QPN)).isEqualTo(queuePair.number());
    View init = toInit.at(Rst2initQpIn.QPC);
    assertThat(init.isSet(Qpc.RWE)).isTrue();
    assertThat(init.isSet(Qpc.RRE)).isFalse();
    assertThat(init.isSet(Qpc.RAE)).isFalse();
  }

  @Test
  void connectingSetsThePathButNoAcknowledgementAttributes() {
    UcQueuePair queuePair =
        domain.ucQueuePair(completions).gidIndex(3).initialPsn(0x777777).create();
    queuePair.connect(PEER, ConnectOptions.DEFAULT.withTrafficClass(0x68));
    View toRtr = hca.command(CommandOpcode.INIT2RTR_QP);
    assertThat(toRtr.getInt(Init2rtrQpIn.OPT_PARAM_MASK)).isEqualTo(QpOptionalParameter.RWE);
    View qpc = toRtr.at(Init2rtrQpIn.QPC);
    assertThat(qpc.getInt(Qpc.MTU)).isEqualTo(3);
    assertThat(qpc.getInt(Qpc.REMOTE_QPN)).isEqualTo(0x00beef);
    assertThat(qpc.getInt(Qpc.NEXT_RCV_PSN)).isEqualTo(0x123456);
    assertThat(qpc.getInt(Qpc.LOG_RRA_MAX)).isZero();
    assertThat(qpc.getInt(Qpc.MIN_RNR_NAK)).isZero();
    View path = qpc.at(Qpc.PRIMARY_ADDRESS_PATH);
    assertThat(path.getBytes(Ads.RGID_RIP)).isEqualTo(PEER.gid().bytes());
    assertThat(path.getInt(Ads.SRC_ADDR_INDEX)).isEqualTo(3);
    assertThat(path.getInt(Ads.TCLASS)).isEqualTo(0x68);
    assertThat(path.getInt(Ads.ACK_TIMEOUT)).isZero();
    View rts = hca.command(CommandOpcode.RTR2RTS_QP).at(Rtr2rtsQpIn.QPC);
    assertThat(rts.getInt(Qpc.NEXT_SEND_PSN)).isEqualTo(0x777777);
    assertThat(rts.getInt(Qpc.RETRY_COUNT)).isZero();
    assertThat(rts.getInt(Qpc.RNR_RETRY)).isZero();
  }

  @Test
  void theEndpointServesNoReads() {
    UcQueuePair queuePair = domain.ucQueuePair(completions).initialPsn(5).create();
    assertThat(queuePair.endpoint())
        .isEqualTo(new QueuePairEndpoint(FakeHca.GID, queuePair.number(), 5, 1024, 0));
  }

  @Test
  void onlyTheRightToWriteChanges() {
    UcQueuePair queuePair = domain.ucQueuePair(completions).access().create();
    assertThat(hca.command(CommandOpcode.RST2INIT_QP).at(Rst2initQpIn.QPC).isSet(Qpc.RWE))
        .isFalse();
    queuePair.modifyAccess(Access.REMOTE_WRITE);
    assertThat(hca.command(CommandOpcode.INIT2INIT_QP).getInt(Init2initQpIn.OPT_PARAM_MASK))
        .isEqualTo(QpOptionalParameter.RWE);
    queuePair.connect(PEER);
    queuePair.modifyAccess();
    View command = hca.command(CommandOpcode.RTS2RTS_QP);
    assertThat(command.getInt(Rts2rtsQpIn.OPT_PARAM_MASK)).isEqualTo(QpOptionalParameter.RWE);
    assertThat(command.at(Rts2rtsQpIn.QPC).isSet(Qpc.RWE)).isFalse();
  }

  @Test
  void restartingTheSendQueueIsOneCommand() {
    UcQueuePair queuePair = domain.ucQueuePair(completions).create();
    queuePair.connect(PEER);
    queuePair.restartSendQueue();
    assertThat(hca.command(CommandOpcode.SQERR2RTS_QP).getInt(Sqerr2rtsQpIn.QPN))
        .isEqualTo(queuePair.number());
  }

  @Test
  void aClosedQueuePairRefusesCommands() {
    UcQueuePair queuePair = domain.ucQueuePair(completions).create();
    queuePair.close();
    assertThatIllegalStateException().isThrownBy(() -> queuePair.connect(PEER));
    assertThatIllegalStateException().isThrownBy(queuePair::restartSendQueue);
    assertThatIllegalStateException().isThrownBy(queuePair::modifyAccess);
    assertThatIllegalStateException().isThrownBy(queuePair::endpoint);
  }

  @Test
  void argumentsOutsideTheirRangeAreRefused() {
    UcQueuePairBuilder plan = domain.ucQueuePair(completions);
    assertThatIllegalArgumentException().isThrownBy(() -> plan.gidIndex(256));
    assertThatIllegalArgumentException().isThrownBy(() -> plan.initialPsn(1 << 24));
  }
}
