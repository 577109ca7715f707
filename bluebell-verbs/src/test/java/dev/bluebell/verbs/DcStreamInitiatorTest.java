package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands of an initiator with streams, and the streams that it has. */
class DcStreamInitiatorTest {
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
  void creationDescribesTheStreams() {
    DcStreamInitiator initiator =
        domain.dcStreamInitiator(completions, 5).failures(3).gidIndex(2).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.ST)).isEqualTo(5);
    assertThat(qpc.getInt(Qpc.LOG_NUM_DCI_STREAM_CHANNELS)).isEqualTo(3);
    assertThat(qpc.getInt(Qpc.LOG_NUM_DCI_ERRORED_STREAMS)).isEqualTo(2);
    assertThat(hca.commands).containsKey(CommandOpcode.RTR2RTS_QP);
    assertThat(initiator.streams()).isEqualTo(8);
    assertThat(initiator.targetAddress(TARGET).target()).isEqualTo(TARGET);
    assertThat(hca.log).contains("resolve port 1 gid 2 " + TARGET.gid());
  }

  @Test
  void byDefaultTheInitiatorFailsWithTheLastOfItsStreams() {
    DcStreamInitiator initiator = domain.dcStreamInitiator(completions, 16).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.LOG_NUM_DCI_ERRORED_STREAMS)).isEqualTo(4);
    assertThat(initiator.streams()).isEqualTo(16);
  }

  @Test
  void anInitiatorWithoutStreamsAsksForNone() {
    assertThat(domain.dcInitiator(completions).create()).isNotNull();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.LOG_NUM_DCI_STREAM_CHANNELS)).isZero();
    assertThat(qpc.getInt(Qpc.LOG_NUM_DCI_ERRORED_STREAMS)).isZero();
  }

  @Test
  void aStreamOfAnInitiatorCreatedForMemoryCopiesCopies() {
    MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE);
    DcStreamInitiator initiator =
        domain.dcStreamInitiator(completions, 8).memoryCopies(true).create();
    assertThat(hca.commands.get(CommandOpcode.INIT2INIT_QP)).hasSize(1);
    int free = initiator.freeWqebbs();
    initiator.stream(3).copyMemory(memory, 0, memory, 32, 32).signaled(7);
    assertThat(initiator.freeWqebbs()).isEqualTo(free - 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> initiator.stream(3).copyMemory(0, 1, 2, 3, 0).signaled(8));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> initiator.stream(3).copyMemory(memory, 0, memory, 33, 32).signaled(8));
    assertThat(initiator.freeWqebbs()).isEqualTo(free - 1);
    assertThat(initiator.reset().sends()).containsExactly(7);
    assertThat(hca.commands.get(CommandOpcode.INIT2INIT_QP)).hasSize(2);
    DcStreamInitiator plain = domain.dcStreamInitiator(completions, 8).create();
    assertThatIllegalStateException()
        .isThrownBy(() -> plain.stream(3).copyMemory(memory, 0, memory, 32, 32).signaled(1))
        .withMessageContaining("makes no copies: create it with memoryCopies(true)");
  }

  @Test
  void bitsAreChangedOnAStreamWithinTheMemoryOfThePeer() {
    DcStreamInitiator initiator = domain.dcStreamInitiator(completions, 8).create();
    DcTargetAddress target = initiator.targetAddress(TARGET);
    RemoteMemory small = new RemoteMemory(0, 1, 8);
    initiator.stream(1).target(target).fetchAndOr8(small, 1).scatter(0, 1).signaled(1);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(
            () ->
                initiator.stream(1)
                    .target(target)
                    .swap16(small, Bits128.ALL)
                    .scatter(0, 1)
                    .signaled(2));
    assertThat(initiator.pending().sends()).containsExactly(1);
  }

  @Test
  void aStreamIsResetByItsNumber() {
    DcStreamInitiator initiator = domain.dcStreamInitiator(completions, 8).create();
    initiator.stream(5).reset();
    View command = hca.command(CommandOpcode.RTS2RTS_QP);
    assertThat(command.getInt(Rts2rtsQpIn.QPN)).isEqualTo(initiator.number());
    assertThat(command.isSet(Rts2rtsQpIn.QPC_EXT)).isTrue();
    assertThat(command.get(Rts2rtsQpIn.OPT_PARAM_MASK_95_32)).isEqualTo(1);
    assertThat(command.at(Rts2rtsQpIn.QPC_DATA_EXT).getInt(QpcExt.DCI_STREAM_CHANNEL_ID))
        .isEqualTo(5);
    assertThat(initiator.stream(5).number()).isEqualTo(5);
    assertThat(initiator.stream(5)).hasToString("stream 5 of " + initiator);
    initiator.close();
    assertThatIllegalStateException().isThrownBy(() -> initiator.stream(5).reset());
  }

  @Test
  void streamsOutOfRangeAreRefused() {
    DcStreamInitiator initiator = domain.dcStreamInitiator(completions, 8).create();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> initiator.stream(8));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> initiator.stream(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> domain.dcStreamInitiator(completions, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.dcStreamInitiator(completions, 8).failures(9));
  }

  @Test
  void aResetOfTheInitiatorEmptiesItsQueue() {
    DcStreamInitiator initiator = domain.dcStreamInitiator(completions, 8).create();
    DcTargetAddress address = initiator.targetAddress(TARGET);
    initiator.stream(1).target(address).send().signaled(1);
    initiator.ringDoorbell();
    initiator.stream(2).target(address).send().signaled(2);
    assertThat(initiator.freeWqebbs()).isEqualTo(initiator.sendQueueWqebbs() - 2);
    initiator.reset();
    assertThat(initiator.freeWqebbs()).isEqualTo(initiator.sendQueueWqebbs());
    initiator.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> initiator.stream(1).target(address))
        .withMessageContaining("is closed");
  }

  @Test
  void aPollOfTheLastCompletionMakesRoomAgain() {
    PlayedCompletions played = new PlayedCompletions(hca);
    DcStreamInitiator initiator = domain.dcStreamInitiator(completions, 8).sendQueue(4).create();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    DcTargetAddress address = initiator.targetAddress(TARGET);
    int requests = initiator.sendQueueWqebbs();
    for (int i = 0; i < requests; i++) {
      initiator.stream(i & 7).target(address).send().signaled(i);
    }
    initiator.ringDoorbell();
    assertThat(initiator.hasRoom()).isFalse();
    for (int i = requests - 1; i >= 0; i--) {
      assertThat(initiator.releasedWqebbs()).isEqualTo(requests - 1 - i);
      played.write(CqeOpcode.REQ, qpc.getInt(Qpc.USER_INDEX), initiator.number(), i, 0);
      assertThat(completions.poll()).isNotNull();
    }
    assertThat(initiator.hasRoom()).isTrue();
    assertThat(initiator.freeWqebbs()).isEqualTo(requests);
  }

  @Test
  void aResetReturnsTheRequestsThatNeverComplete() {
    DcStreamInitiator initiator = domain.dcStreamInitiator(completions, 8).create();
    DcTargetAddress address = initiator.targetAddress(TARGET);
    initiator.stream(1).target(address).send().signaled(1);
    initiator.ringDoorbell();
    initiator.stream(2).target(address).write(0, 1).gather(0, 8, 1).gather(0, 8, 1).signaled(2);
    assertThat(initiator.pending().sends()).containsExactly(1, 2);
    assertThat(initiator.reset().sends()).containsExactly(1, 2);
    assertThat(initiator.pending().sends()).isEmpty();
  }
}
