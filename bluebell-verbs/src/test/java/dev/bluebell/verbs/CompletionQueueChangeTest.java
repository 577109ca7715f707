package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.memory.Registration;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.ring.LocalMemory;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Changes of an existing completion queue, and the requirements of queue pairs on it. */
class CompletionQueueChangeTest {
  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(8);
  private final PlayedCompletions played = new PlayedCompletions(hca);
  private final RcQueuePair queuePair =
      Connected.toItself(domain.rcQueuePair(completions).create());
  private final List<Long> ids = new ArrayList<>();

  private void post(int count) {
    for (int i = 0; i < count; i++) {
      queuePair.nop().signaled(i);
    }
    queuePair.ringDoorbell();
  }

  private void complete(int from, int to) {
    for (int i = from; i < to; i++) {
      played.write(CqeOpcode.REQ, 0, queuePair.number(), i, 0);
    }
  }

  /** Answers the next MODIFY_CQ as a device does: a mark in the old ring, then the new one. */
  private void resize(int entries) {
    hca.onModify = this::answerResize;
    completions.resize(entries);
    hca.onModify = command -> {};
  }

  private void answerResize(View command) {
    played.write(CqeOpcode.RESIZE_CQ, 0, 0, 0, 0);
    played.moveTo(
        hca.umems.get(command.getInt(CreateCqIn.CQ_UMEM_ID)),
        command.at(ModifyCqIn.CQ_CONTEXT).getInt(Cqc.LOG_CQ_SIZE));
  }

  @Test
  void moderationIsACommand() {
    completions.moderate(16, Duration.ofNanos(20_500));
    View command = hca.command(CommandOpcode.MODIFY_CQ);
    assertThat(command.getInt(ModifyCqIn.CQN)).isEqualTo(completions.number());
    assertThat(command.getInt(CmdIn.OP_MOD)).isZero();
    assertThat(command.getInt(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT)).isEqualTo(3);
    assertThat(command.at(ModifyCqIn.CQ_CONTEXT).getInt(Cqc.CQ_MAX_COUNT)).isEqualTo(16);
    assertThat(command.at(ModifyCqIn.CQ_CONTEXT).getInt(Cqc.CQ_PERIOD)).isEqualTo(20);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> completions.moderate(65536, Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> completions.moderate(-1, Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> completions.moderate(1, Duration.ofNanos(4_096_000)))
        .withMessageContaining("period");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> completions.moderate(1, Duration.ofDays(400)));
    for (Duration period : List.of(Duration.ofHours(-3), Duration.ofDays(300 * 365))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> completions.moderate(1, period))
          .withMessageContaining("period in µs must be from 0 to 4095");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> completions.moderate(1, Duration.ofNanos(-1000)));
  }

  /** The kernel marks the umem of every MODIFY_CQ as valid, so each has to name one. */
  @Test
  void moderationNamesTheCurrentRing() {
    completions.moderate(16, Duration.ofNanos(20_500));
    assertThat(hca.command(CommandOpcode.MODIFY_CQ).getInt(CreateCqIn.CQ_UMEM_ID))
        .isEqualTo(hca.command(CommandOpcode.CREATE_CQ).getInt(CreateCqIn.CQ_UMEM_ID));
    resize(32);
    int other = hca.lastCommand(CommandOpcode.MODIFY_CQ).getInt(CreateCqIn.CQ_UMEM_ID);
    completions.moderate(8, Duration.ofNanos(20_500));
    assertThat(hca.lastCommand(CommandOpcode.MODIFY_CQ).getInt(CreateCqIn.CQ_UMEM_ID))
        .isEqualTo(other);
  }

  @Test
  void moderationBesideAResizeWaitsForTheNewRing() throws InterruptedException {
    Thread moderating = new Thread(() -> completions.moderate(8, Duration.ZERO));
    hca.onModify =
        command -> {
          if (command.getInt(CmdIn.OP_MOD) == 1) {
            moderating.start();
            while (moderating.isAlive() && moderating.getState() != Thread.State.BLOCKED) {
              Thread.onSpinWait();
            }
            answerResize(command);
          }
        };
    completions.resize(32);
    moderating.join();
    List<View> commands =
        hca.commands.get(CommandOpcode.MODIFY_CQ).stream().map(View::over).toList();
    assertThat(commands).hasSize(2);
    assertThat(commands.getLast().getInt(CreateCqIn.CQ_UMEM_ID))
        .isEqualTo(commands.getFirst().getInt(CreateCqIn.CQ_UMEM_ID));
  }

  @Test
  void noCompletionIsLostOrSeenTwiceWhenTheQueueChangesItsSize() {
    post(60);
    int next = 0;
    for (int size : new int[] {16, 32, 8, 64, 8, 16}) {
      complete(next, next + 5);
      assertThat(completions.poll(completion -> ids.add(completion.id()), 2)).isEqualTo(2);
      resize(size);
      assertThat(completions.entries()).isEqualTo(size);
      complete(next + 5, next + 9);
      assertThat(completions.poll(completion -> ids.add(completion.id()))).isEqualTo(7);
      assertThat(completions.poll()).isNull();
      next += 9;
    }
    assertThat(ids).isEqualTo(LongStream.range(0, next).boxed().toList());
    // One more for each mark.
    assertThat(played.consumerIndex()).isEqualTo(next + 6);
    // The first ring, the queue pair's, the doorbell records': no ring is left behind.
    int umems = hca.umems.size();
    queuePair.close();
    completions.close();
    assertThat(hca.umems).hasSize(umems - 2);
  }

  @Test
  void aSizeThatTheQueueHasNeedsNoCommand() {
    completions.resize(5);
    assertThat(hca.commands).doesNotContainKey(CommandOpcode.MODIFY_CQ);
    assertThatIllegalArgumentException().isThrownBy(() -> completions.resize(0));
    assertThatIllegalArgumentException().isThrownBy(() -> completions.resize(1 << 20));
  }

  @Test
  void aRefusedResizeChangesNothing() {
    post(2);
    complete(0, 1);
    int umems = hca.umems.size();
    hca.refused.add(CommandOpcode.MODIFY_CQ);
    assertThatExceptionOfType(HcaException.class).isThrownBy(() -> completions.resize(64));
    assertThat(hca.umems).hasSize(umems);
    assertThat(completions.entries()).isEqualTo(8);
    complete(1, 2);
    assertThat(completions.poll(completion -> {})).isEqualTo(2);
  }

  @Test
  void aResizeWithoutTheDevicesEndMarkFails() {
    assertThatIllegalStateException()
        .isThrownBy(() -> completions.resize(64))
        .withMessageContaining("did not mark the end");
  }

  @Test
  void queuePairsAskForDataInsideCompletions() {
    CompletionQueue wide =
        device.createCompletionQueue(8, CompletionQueueOptions.DEFAULT.withCqeBytes(128));
    domain.rcQueuePair(wide).scatterToCqe(64).inlineReceive(32).create();
    View qpc = hca.lastCommand(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.CS_REQ)).isEqualTo(0x22);
    assertThat(qpc.getInt(Qpc.CS_RES)).isEqualTo(1);
    domain
        .rcQueuePair(completions)
        .scatterToCqe(32)
        .receiveCompletions(wide)
        .inlineReceive(64)
        .create();
    qpc = hca.lastCommand(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.CS_REQ)).isEqualTo(0x11);
    assertThat(qpc.getInt(Qpc.CS_RES)).isEqualTo(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.rcQueuePair(completions).scatterToCqe(64).create())
        .withMessageContaining("room for 32 bytes", "withCqeBytes(128)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.rcQueuePair(completions).inlineReceive(64).create());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.rcQueuePair(completions).inlineReceive(16))
        .withMessageContaining("inlineReceive is 0, 32 or 64 bytes, not 16");
  }

  @Test
  void theDriverWritesARegionOnlyWhereTheDeviceMay() {
    DeviceContext context = new DeviceContext(new FakeHca());
    Domain of = new Domain(context);
    LocalMemory memory = context.localMemory();
    // Regions without LOCAL_WRITE, and closed ones, are not known to polls.
    MemoryRegion readOnly = Registration.allocate(of, 64);
    MemoryRegion closed = Registration.allocate(of, 64, Access.LOCAL_WRITE);
    MemoryRegion open = Registration.allocate(of, 64, Access.LOCAL_WRITE);
    closed.close();
    MemorySegment bytes = MemorySegment.ofArray(new long[] {-1});
    assertThat(memory.write(readOnly.lkey(), readOnly.address(), bytes, 0, 8)).isFalse();
    assertThat(memory.write(closed.lkey(), closed.address(), bytes, 0, 8)).isFalse();
    assertThat(memory.write(open.lkey(), open.address() + 56, bytes, 0, 8)).isTrue();
    assertThat(memory.write(open.lkey(), open.address() + 57, bytes, 0, 8)).isFalse();
    assertThat(memory.write(open.lkey(), open.address() - 1, bytes, 0, 8)).isFalse();
    assertThat(memory.write(open.lkey(), Long.MIN_VALUE, bytes, 0, 8)).isFalse();
  }

  @Test
  void queuePairsServeTheLargestAtomicsOfTheDevice() {
    for (int[] sizesAndMode : new int[][] {{0, 1}, {4, 1}, {8, 3}, {12, 3}, {28, 4}}) {
      FakeHca other = new FakeHca();
      other
          .atomicCaps
          .set(AtomicCaps.ATOMIC_OPERATIONS, 0xf)
          .set(AtomicCaps.ATOMIC_SIZE_QP, sizesAndMode[0]);
      try (Device large = Device.over(other)) {
        assertThat(large.attributes().maskedAtomicSizes()).isEqualTo(sizesAndMode[0]);
        large
            .allocateProtectionDomain()
            .rcQueuePair(large.createCompletionQueue(8))
            .create()
            .close();
        View qpc = other.command(CommandOpcode.RST2INIT_QP).at(Rst2initQpIn.QPC);
        assertThat(qpc.getInt(Qpc.ATOMIC_MODE)).isEqualTo(sizesAndMode[1]);
      }
    }
  }
}
