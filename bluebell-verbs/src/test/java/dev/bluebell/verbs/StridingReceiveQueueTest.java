package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.RmpCommands.CreateRmpIn;
import dev.bluebell.hca.command.RmpCommands.Rmpc;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.DataSegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Receive queues with strides; the tests play the device. */
class StridingReceiveQueueTest {
  private static final int STRIDES = 8;
  private static final int STRIDE = 256;
  private static final int ONLY = Cqe.STRIDE_FIRST | Cqe.STRIDE_LAST;
  private final FakeHca hca = new FakeHca();
  private final Device device;
  private final ProtectionDomain domain;
  private final MemoryRegion memory;
  private final CompletionQueue completions;
  private final PlayedCompletions played;
  private final StridingReceiveQueue queue;

  StridingReceiveQueueTest() {
    hca.caps.set(CmdHcaCap.IB_STRIDING_WQ, true).set(CmdHcaCap.EXT_STRIDE_NUM_RANGE, true);
    device = Device.over(hca);
    domain = device.allocateProtectionDomain();
    memory = domain.allocate(16L * STRIDES * STRIDE, Access.LOCAL_WRITE);
    completions = device.createCompletionQueue(64);
    played = new PlayedCompletions(hca);
    queue = domain.stridingReceiveQueue().requests(3).strides(STRIDES).strideBytes(STRIDE).create();
  }

  @AfterEach
  void close() {
    device.close();
  }

  private RcQueuePair receiver() {
    return domain.rcQueuePair(completions).receiveFrom(queue).create();
  }

  private StridingEntry entry(int number) {
    return queue.entry(memory, (long) number * queue.entryBytes(), 100 + number);
  }

  private StridingEntry posted(int number) {
    StridingEntry entry = entry(number);
    entry.post();
    queue.ringDoorbell();
    return entry;
  }

  private int userIndexOfLast() {
    return hca.lastCommand(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC).getInt(Qpc.USER_INDEX);
  }

  /** Plays the completion of a packet to the queue pair that was created last. */
  private void play(int qpn, int slot, int stride, int byteCount) {
    play(CqeOpcode.RESP_SEND, userIndexOfLast(), qpn, slot, stride, byteCount);
  }

  private void play(int opcode, int userIndex, int qpn, int slot, int stride, int byteCount) {
    played.write(entry(opcode, userIndex, qpn, slot, stride, byteCount));
  }

  private static long[] entry(
      int opcode, int userIndex, int qpn, int slot, int stride, int byteCount) {
    long[] words = new long[8];
    words[2] = Cqe.strideWord(stride);
    words[4] = Cqe.uidxImmediateWord(userIndex, 0);
    words[5] = Cqe.BYTE_CNT.place(byteCount);
    if (opcode == CqeOpcode.RESP_ERR) {
      words[6] = Cqe.errorWord(0, Syndrome.LOCAL_LENGTH_ERR);
    }
    words[7] = Cqe.lastWord(0, qpn, slot, Cqe.opOwn(opcode, false, 0));
    return words;
  }

  private Completion poll() {
    Completion completion = completions.poll();
    assertThat(completion).isNotNull();
    return completion;
  }

  @Test
  void creationDescribesTheStrides() {
    View wq = hca.command(CommandOpcode.CREATE_RMP).at(CreateRmpIn.CTX).at(Rmpc.WQ);
    assertThat(wq.getInt(Wq.WQ_TYPE)).isEqualTo(Wq.WQ_TYPE_LINKED_LIST_STRIDING_RQ);
    assertThat(wq.getInt(Wq.LOG_WQE_NUM_OF_STRIDES)).isEqualTo(0xa);
    assertThat(wq.getInt(Wq.LOG_WQE_STRIDE_SIZE)).isEqualTo(2);
    assertThat(wq.getInt(Wq.LOG_WQ_SZ)).isEqualTo(2);
    assertThat(wq.getInt(Wq.LOG_WQ_STRIDE)).isEqualTo(5);
    StridingReceiveQueue large =
        domain.stridingReceiveQueue().strides(65536).strideBytes(8000).create();
    wq = hca.lastCommand(CommandOpcode.CREATE_RMP).at(CreateRmpIn.CTX).at(Rmpc.WQ);
    assertThat(wq.getInt(Wq.LOG_WQE_NUM_OF_STRIDES)).isEqualTo(7);
    assertThat(wq.getInt(Wq.LOG_WQE_STRIDE_SIZE)).isEqualTo(7);
    assertThat(large.entryBytes()).isEqualTo(1 << 29);
  }

  @Test
  void creationOfQueuePairsAndTargetsNamesTheirReceiveQueue() {
    assertThat(receiver().number()).isPositive();
    View qpc = hca.command(CommandOpcode.CREATE_QP).at(CreateQpIn.QPC);
    assertThat(qpc.getInt(Qpc.SRQN_RMPN_XRQN)).isEqualTo(queue.number());
    DcTarget target = domain.dcTarget(completions, queue).create();
    View dctc = hca.command(CommandOpcode.CREATE_DCT).at(CreateDctIn.DCT_CONTEXT_ENTRY);
    assertThat(dctc.getInt(Dctc.SRQN_XRQN)).isEqualTo(queue.number());
    assertThatIllegalStateException().isThrownBy(queue::close);
    target.close();
  }

  @Test
  void anEntryIsOneSegmentForAllStrides() {
    assertThat(posted(1).address()).isEqualTo(memory.address() + STRIDES * STRIDE);
    View wq = hca.command(CommandOpcode.CREATE_RMP).at(CreateRmpIn.CTX).at(Rmpc.WQ);
    long wqe = hca.umems.get(wq.getInt(Wq.WQ_UMEM_ID)).address();
    assertThat(Memory.getLong(wqe + 16))
        .isEqualTo(DataSegment.first(STRIDES * STRIDE, memory.lkey()));
    assertThat(Memory.getLong(wqe + 24)).isEqualTo(memory.address() + STRIDES * STRIDE);
  }

  @Test
  void aCompletionHasThePlaceOfItsPacket() {
    int qpn = receiver().number();
    StridingEntry entry = posted(1);
    play(qpn, 0, 0, ONLY | 17);
    Completion completion = poll();
    assertThat(completion.id()).isEqualTo(101);
    assertThat(completion.byteCount()).isEqualTo(17);
    assertThat(completion.stride().entry()).isSameAs(entry);
    assertThat(completion.stride().offset()).isZero();
    assertThat(completion.stride().isFirst() && completion.stride().isLast()).isTrue();
    play(qpn, 0, 1, Cqe.STRIDE_FIRST | STRIDE);
    completion = poll();
    assertThat(completion.stride().isLast()).isFalse();
    assertThat(completion.stride().address()).isEqualTo(entry.address() + STRIDE);
    play(qpn, 0, 2, Cqe.STRIDE_LAST);
    completion = poll();
    assertThat(completion.byteCount()).isZero();
    assertThat(completion.stride().isFirst()).isFalse();
    assertThat(completion.stride().isLast()).isTrue();
  }

  @Test
  void anEntryCanBePostedAgainWhenAllItsStridesWereTakenAndRead() {
    int qpn = receiver().number();
    StridingEntry entry = entry(0);
    assertThat(entry.isFree()).isTrue();
    entry.post();
    queue.ringDoorbell();
    assertThatIllegalStateException()
        .isThrownBy(entry::post)
        .withMessageContaining("entry 100 of striding RQ 0x")
        .withMessageContaining("of its 8 strides 0 were reported and 0 released");
    assertThatIllegalStateException()
        .isThrownBy(entry::release)
        .withMessage(entry + ": every stride that was reported so far (0) was already released");
    for (int i = 0; i < STRIDES; i++) {
      assertThat(entry.isFree()).isFalse();
      play(qpn, 0, i, ONLY | 1);
      assertThat(poll().stride().entry()).isSameAs(entry);
    }
    // The device has done with it, its readers have not.
    assertThat(queue.exactFreeReceives()).isEqualTo(3);
    for (int i = 0; i < STRIDES; i++) {
      assertThatIllegalStateException().isThrownBy(entry::post);
      assertThat(entry.release()).isEqualTo(i == STRIDES - 1);
    }
    assertThatIllegalStateException().isThrownBy(entry::release);
    assertThat(entry.isFree()).isTrue();
    entry.post();
    assertThat(queue.exactFreeReceives()).isEqualTo(2);
  }

  @Test
  void aStrideThatStaysEmptyIsReleasedAsAnyOther() {
    int qpn = receiver().number();
    StridingEntry entry = posted(0);
    play(qpn, 0, 0, Cqe.STRIDE_FILLER | ONLY | 5);
    Completion completion = poll();
    assertThat(completion.byteCount()).isZero();
    assertThat(completion.stride().isFirst() || completion.stride().isLast()).isFalse();
    assertThat(entry.release()).isFalse();
  }

  @Test
  void aFailureTakesAStride() {
    int qpn = receiver().number();
    StridingEntry entry = posted(0);
    play(CqeOpcode.RESP_ERR, userIndexOfLast(), qpn, 0, 99, -1);
    Completion completion = poll();
    assertThat(completion.status()).isEqualTo(CompletionStatus.LOCAL_LENGTH_ERROR);
    assertThat(completion.id()).isEqualTo(100);
    assertThat(completion.stride().entry()).isSameAs(entry);
    assertThat(entry.release()).isFalse();
  }

  @Test
  void onlyCompletionsOfStridingQueuesHaveAStride() {
    int qpn = receiver().number();
    posted(0);
    play(qpn, 0, 0, ONLY | 17);
    assertThat(poll().stride().offset()).isZero();
    RcQueuePair other = Connected.toItself(domain.rcQueuePair(completions).create());
    other.nop().signaled(5);
    other.ringDoorbell();
    played.write(CqeOpcode.REQ, userIndexOfLast(), other.number(), 0, 0);
    Completion completion = poll();
    assertThat(completion.id()).isEqualTo(5);
    assertThatIllegalStateException()
        .isThrownBy(completion::stride)
        .withMessageContaining("did not come to a receive queue with strides");
  }

  @Test
  void anInvalidCompletionIsRefusedAndItsStrideCountsAsRead() {
    int qpn = receiver().number();
    StridingEntry entry = posted(0);
    int userIndex = userIndexOfLast();
    refuse(CqeOpcode.RESP_SEND, userIndex, qpn, 0, STRIDES, 1, "reported 1 bytes in stride 8");
    refuse(CqeOpcode.RESP_SEND, userIndex, qpn, 0, 1, STRIDE + 1, "reported 257 bytes in stride 1");
    refuse(CqeOpcode.RESP_WR_IMM, userIndex, qpn, 0, 2, 8, "has opcode RESP_WR_IMM");
    refuse(CqeOpcode.RESP_SEND, userIndex, qpn, 1, 0, 8, "completed entry 1 of striding RQ");
    refuse(CqeOpcode.RESP_SEND, userIndex, qpn, 65535, 0, 8, "completed entry 65535");
    long[] inline = entry(CqeOpcode.RESP_SEND, userIndex, qpn, 0, 3, 8);
    inline[7] |= Cqe.FORMAT_INLINE_32 << 2;
    played.write(inline);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining("has data inside, and is for striding RQ");
    for (int i = 4; i < STRIDES; i++) {
      play(qpn, 0, i, ONLY | 1);
      assertThat(poll().isSuccess()).isTrue();
    }
    refuse(CqeOpcode.RESP_SEND, userIndex, qpn, 0, 1, 8, "completed entry 0 of striding RQ");
    for (int i = 4; i < STRIDES; i++) {
      assertThat(entry.release()).isEqualTo(i == STRIDES - 1);
    }
  }

  private void refuse(
      int opcode, int userIndex, int qpn, int slot, int stride, int bytes, String why) {
    play(opcode, userIndex, qpn, slot, stride, bytes);
    assertThatIllegalStateException()
        .isThrownBy(completions::poll)
        .withMessageContaining(why)
        .withMessageContaining("striding RQ 0x%x".formatted(queue.number()));
  }

  @Test
  void stridesOfAQueuePairThatIsGoneCountAsRead() {
    RcQueuePair gone = receiver();
    int userIndex = userIndexOfLast();
    StridingEntry entry = posted(0);
    play(CqeOpcode.RESP_SEND, userIndex, gone.number(), 0, 0, ONLY | 8);
    play(CqeOpcode.RESP_SEND, userIndex, gone.number(), 0, 1, ONLY | 8);
    gone.reset();
    assertThat(completions.poll()).isNull();
    for (int i = 2; i < STRIDES; i++) {
      play(CqeOpcode.RESP_SEND, userIndex, gone.number(), 0, i, ONLY | 8);
    }
    gone.close();
    assertThat(entry.isFree()).isFalse();
    assertThat(completions.poll()).isNull();
    assertThat(entry.isFree()).isTrue();
    assertThat(queue.exactFreeReceives()).isEqualTo(3);
  }

  @Test
  void stridesMayBeReleasedByManyThreads() throws InterruptedException {
    int qpn = receiver().number();
    for (int round = 0; round < 4; round++) {
      StridingEntry entry = posted(round);
      for (int i = 0; i < STRIDES; i++) {
        // The slots are taken in turn.
        play(qpn, round, i, ONLY | 8);
        assertThat(poll().stride().entry()).isSameAs(entry);
      }
      AtomicInteger last = new AtomicInteger();
      Thread[] threads = new Thread[STRIDES];
      for (int i = 0; i < STRIDES; i++) {
        threads[i] = new Thread(() -> last.addAndGet(entry.release() ? 1 : 0));
        threads[i].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(last).hasValue(1);
      assertThat(entry.isFree()).isTrue();
    }
  }

  @Test
  void theDiagnosisOfAQueuePairCountsFreeStridesAndEntries() {
    RcQueuePair receiver = receiver();
    assertThat(receiver.diagnose())
        .contains("It receives from %s.".formatted(queue), "so a message finds no room");
    StridingEntry entry = entry(0);
    entry.post();
    assertThat(receiver.diagnose()).contains("1 of the entries that wait there are not in the");
    queue.ringDoorbell();
    assertThat(receiver.diagnose()).contains("packets: 8, in entries: 1.");
    for (int i = 0; i < STRIDES; i++) {
      play(receiver.number(), 0, i, ONLY | 8);
      assertThat(poll().isSuccess()).isTrue();
    }
    assertThat(receiver.diagnose()).contains("Strides that were reported but not released: 8.");
  }

  @Test
  void aQueueThatIsFullOrClosedTakesNoEntry() {
    for (int i = 0; i < 3; i++) {
      posted(i);
    }
    StridingEntry fourth = entry(3);
    assertThatIllegalStateException().isThrownBy(fourth::post).withMessageContaining("is full");
    assertThat(fourth.isFree()).isTrue();
    queue.close();
    assertThatIllegalStateException().isThrownBy(fourth::post).withMessageContaining("is closed");
  }

  @Test
  void invalidEntriesAndQueuesAreRefused() {
    assertThatThrownBy(() -> queue.entry(memory, memory.length() - queue.entryBytes() + 1, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> queue.entry(memory, -1, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    ProtectionDomain other = device.allocateProtectionDomain();
    MemoryRegion elsewhere = other.allocate(queue.entryBytes(), Access.LOCAL_WRITE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue.entry(elsewhere, 0, 0))
        .withMessageContaining("use one domain for both");
    assertThatIllegalArgumentException().isThrownBy(() -> domain.stridingReceiveQueue().strides(7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.stridingReceiveQueue().strides(65537));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.stridingReceiveQueue().strideBytes(63));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> domain.stridingReceiveQueue().strideBytes(8193));
  }

  @Test
  void aDeviceWithoutStridingQueuesRefusesThem() {
    try (Device plain = Device.over(new FakeHca())) {
      assertThatIllegalStateException()
          .isThrownBy(() -> plain.allocateProtectionDomain().stridingReceiveQueue().create())
          .withMessageContaining("(ib_striding_wq)");
    }
  }

  @Test
  void aDeviceWithoutTheExtendedRangeHasAtLeast512Strides() {
    FakeHca other = new FakeHca();
    other.caps.set(CmdHcaCap.IB_STRIDING_WQ, true);
    try (Device plain = Device.over(other)) {
      assertThat(plain.attributes().minStrides()).isEqualTo(512);
      StridingReceiveQueue few =
          plain
              .allocateProtectionDomain()
              .stridingReceiveQueue()
              .strides(8)
              .strideBytes(64)
              .create();
      assertThat(few.entryBytes()).isEqualTo(512 * 64);
    }
  }

  @Test
  void stridesInUnpolledCompletionsOfAClosedCompletionQueueCountAsRead() {
    RcQueuePair gone = receiver();
    StridingEntry entry = posted(0);
    for (int i = 0; i < STRIDES; i++) {
      play(gone.number(), 0, i, ONLY | 8);
    }
    gone.close();
    completions.close();
    assertThat(entry.isFree()).isTrue();
    assertThat(queue.exactFreeReceives()).isEqualTo(3);
  }
}
