package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.Completion;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A send and a receive queue with a completion queue, all in memory, and a test that plays the
 * device: it writes completions by hand.
 */
final class SendBench {
  static final int QPN = 0x001234;
  static final int CQN = 0x000056;
  final TestMemory sendMemory;
  final TestMemory receiveMemory;
  final TestMemory completionMemory;
  final TestMemory record = new TestMemory(64);
  final TestMemory register = new TestMemory(1024);
  final TestMemory completionRecord = new TestMemory(64);
  final TestMemory completionRegister = new TestMemory(64);
  final QueueTable queues = new QueueTable();
  final LocalMemory memory = new LocalMemory();
  final SendRing send;
  final ReceiveRing receive;
  final CompletionRing completions;
  final int userIndex;
  private final int logEntries;
  private int produced;

  SendBench(int logWqebbs, int maxWqeBytes, boolean nopFill) {
    this(logWqebbs, maxWqeBytes, nopFill, 4);
  }

  SendBench(int logWqebbs, int maxWqeBytes, boolean nopFill, int logEntries) {
    this(logWqebbs, maxWqeBytes, nopFill, logEntries, 0);
  }

  SendBench(int logWqebbs, int maxWqeBytes, boolean nopFill, int logEntries, int startIndex) {
    this(
        layout -> layout.withNopFill(nopFill).startingAt(startIndex),
        logWqebbs,
        maxWqeBytes,
        logEntries,
        PlainRequest::new);
  }

  SendBench(
      UnaryOperator<SendRingLayout> options,
      int logWqebbs,
      int maxWqeBytes,
      int logEntries,
      BiFunction<SendRing, SendRingLayout, SendRequest<?>> kind) {
    this.logEntries = logEntries;
    sendMemory = new TestMemory(64 << logWqebbs);
    receiveMemory = new TestMemory(8 * 32);
    completionMemory = new TestMemory(64 << logEntries);
    SendRingLayout layout =
        options.apply(
            SendRingLayout.of(
                sendMemory.address(),
                logWqebbs,
                QPN,
                record.address(),
                register.address(),
                maxWqeBytes));
    send = new SendRing(layout, kind);
    receive =
        new ReceiveRing(
            new ReceiveRingLayout(
                receiveMemory.address(), 3, 5, QPN, record.address(), 0, false, layout.managed()));
    userIndex = queues.reserve();
    queues.set(userIndex, new WorkQueues(QPN, send, receive));
    CompletionRingLayout.initialize(completionMemory.address(), logEntries, 64);
    completions =
        new CompletionRing(
            new CompletionRingLayout(
                completionMemory.address(),
                logEntries,
                64,
                CQN,
                completionRecord.address(),
                completionRegister.address()),
            queues,
            memory,
            null);
  }

  /** A ring of 16 WQEBBs for requests of up to 4. */
  static SendBench ofSixteen() {
    return new SendBench(4, 256, false);
  }

  /** Managed queues, the send queue with 16 WQEBBs for requests of up to 4. */
  static SendBench managed() {
    return new SendBench(
        layout -> layout.withNopFill(true).startingAt(0).withManaged(true),
        4,
        256,
        4,
        PlainRequest::new);
  }

  /** The device completes the send request that starts at a WQE index. */
  void complete(int wqeIndex) {
    write(CqeOpcode.REQ, 0x08, QPN, userIndex, wqeIndex, 0);
  }

  /** The device fails the send request that starts at a WQE index. */
  void fail(int wqeIndex, int syndrome) {
    write(CqeOpcode.REQ_ERR, 0x08, QPN, userIndex, wqeIndex, Cqe.errorWord(0x51, syndrome));
  }

  /** The device completes a receive request. */
  void completeReceive(int opcode, int counter) {
    write(opcode, 0, QPN, userIndex, counter, 0);
  }

  /** The device writes any completion. */
  void write(int opcode, int sendOpcode, int qpn, int user, int counter, long timestampWord) {
    write(
        Cqe.opOwn(opcode, false, produced >>> logEntries),
        sendOpcode,
        qpn,
        user,
        counter,
        timestampWord,
        0x11223344,
        100);
  }

  /** The device writes any completion, its last byte as given. */
  void write(
      int opOwn,
      int sendOpcode,
      int qpn,
      int user,
      int counter,
      long timestampWord,
      int immediate,
      int byteCount) {
    long cqe = nextEntry();
    Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(user, immediate));
    Memory.putLong(cqe + Cqe.BYTE_COUNT_WORD, byteCount);
    Memory.putLong(cqe + Cqe.TIMESTAMP_WORD, timestampWord);
    Memory.putLongRelease(cqe + Cqe.LAST_WORD, Cqe.lastWord(sendOpcode, qpn, counter, opOwn));
    produced++;
  }

  /** Address of the entry that the device writes next. */
  long nextEntry() {
    return completionMemory.address() + 64L * (produced & (1 << logEntries) - 1);
  }

  /** Polls one completion, which must be there. */
  Completion poll() {
    Completion completion = completions.poll();
    if (completion == null) {
      throw new AssertionError("no completion");
    }
    return completion;
  }

  /** The consumer index that the device sees. */
  int consumerIndex() {
    return Integer.parseUnsignedInt(completionRecord.hex(0, 4), 16);
  }

  /** A request of one WQEBB that is signalled. */
  void postSmall(long id) {
    send.request().write(0x1000, 7).gather(0x2000, 8, 9).signaled(id);
  }
}
