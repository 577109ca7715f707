package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import java.nio.ByteBuffer;

/**
 * A tag-matching queue in memory, and a completion queue into which a test writes completions by
 * hand.
 */
final class TagBench {
  static final int QPN = 0x0a1b01;
  static final int OTHER_QPN = 0x0a1b07;
  final TestMemory commandMemory = new TestMemory(64 * 64);
  final TestMemory receiveMemory = new TestMemory(8 * 32);
  final TestMemory completionMemory;
  final TestMemory commandRecord = new TestMemory(64);
  final TestMemory receiveRecord = new TestMemory(64);
  final TestMemory register = new TestMemory(1024);
  final TestMemory completionRecord = new TestMemory(64);
  final QueueTable queues = new QueueTable();
  final SendRing commands;
  final TagMatchingRing tags;
  final SharedReceiveRing receives;
  final CompletionRing completions;
  final LocalMemory memory = new LocalMemory();
  private final int cqeBytes;
  private final int userIndex;
  private int produced;

  /** A list of {@code 2^logTags} entries, and a queue of {@code 2^logCommands} changes of it. */
  TagBench(int logTags, int logCommands) {
    this(logTags, logCommands, 64);
  }

  /** The same with completions of 64 or 128 bytes. */
  TagBench(int logTags, int logCommands, int cqeBytes) {
    this.cqeBytes = cqeBytes;
    completionMemory = new TestMemory(cqeBytes * 16);
    commands =
        new SendRing(
            SendRingLayout.of(
                commandMemory.address(),
                logCommands,
                QPN,
                commandRecord.address(),
                register.address(),
                64));
    receives =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                receiveMemory.address(), 3, 5, receiveRecord.address(), "XRQ 0x9"));
    tags = new TagMatchingRing(logTags, receives, commands, "XRQ 0x9");
    userIndex = queues.reserve();
    queues.set(userIndex, WorkQueues.shared(tags));
    CompletionRingLayout.initialize(completionMemory.address(), 4, cqeBytes);
    completions =
        new CompletionRing(
            new CompletionRingLayout(
                completionMemory.address(),
                4,
                cqeBytes,
                0x404,
                completionRecord.address(),
                register.address()),
            queues,
            memory,
            null);
  }

  /** The device tells of a message that took a tag. */
  void match(int operation, int entry, int bytes) {
    int opcode =
        operation == TagMatchingCqe.CONSUMED || operation == TagMatchingCqe.MSG_COMPLETION_CANCELED
            ? CqeOpcode.NO_PACKET
            : CqeOpcode.RESP_SEND;
    write(opcode, 0x0300_0000_0000_1234L, 0x11, operation, entry, 0, bytes, 0);
  }

  /** The device tells of a message that took a tag, and is inside the completion. */
  void matchInside(int operation, int entry, int format, byte[] message) {
    completionMemory.write(entry() - 64, message);
    write(CqeOpcode.RESP_SEND, 0, 0x11, operation, entry, 0, message.length, format);
  }

  /** The device tells of a message in a receive request, which is inside the completion. */
  void receiveInside(int operation, int entry, int format, byte[] message) {
    if (format == Cqe.FORMAT_INLINE_64) {
      completionMemory.write(entry() - 64, message);
      write(CqeOpcode.RESP_SEND, 0, 0, operation, 0, entry, message.length, format);
    } else {
      int at = entry();
      long head = ByteBuffer.wrap(message).getLong();
      write(CqeOpcode.RESP_SEND, head, 0, operation, 0, entry, message.length, format);
      completionMemory.write(at, message);
    }
  }

  /** The device reports a message in a receive request. */
  void receive(int operation, int entry) {
    write(CqeOpcode.RESP_SEND, 0x0300_0000_0000_1234L, 0x11, operation, 0, entry, 100, 0);
  }

  /** The device reports a change of the list. */
  void changed(int operation, int command, boolean done, int phase) {
    long head =
        TagMatchingCqe.SUCCESS.place(done ? 1 : 0) | TagMatchingCqe.HW_PHASE_CNT.place(phase);
    write(CqeOpcode.NO_PACKET, head, 0, operation, 0, command, 0, 0);
  }

  /** Offset of the next completion. */
  private int entry() {
    return cqeBytes * (produced & 15) + cqeBytes - 64;
  }

  private void write(
      int opcode,
      long head,
      long tag,
      int operation,
      int entry,
      int counter,
      int bytes,
      int format) {
    long cqe = completionMemory.address() + entry();
    Memory.putLong(cqe, head);
    Memory.putLong(cqe + 8, tag);
    Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(userIndex, 0));
    Memory.putLong(cqe + Cqe.BYTE_COUNT_WORD, TagMatchingCqe.word(operation, entry, bytes));
    Memory.putLong(cqe + Cqe.TIMESTAMP_WORD, 0);
    Memory.putLongRelease(
        cqe + Cqe.LAST_WORD,
        Cqe.lastWord(
            0, OTHER_QPN, counter, Cqe.opOwn(opcode, false, produced >>> 4) | format << 2));
    produced++;
  }

  /** Puts an entry into the first slot. */
  void write(byte[] entry) {
    completionMemory.write(0, entry);
  }
}
