package dev.bluebell.verbs;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import java.lang.foreign.MemorySegment;

/** The device's side of the most recently created completion queue: a test writes its entries. */
final class PlayedCompletions {
  private final FakeHca hca;
  private final View cqc;
  private MemorySegment ring;
  private int logEntries;
  private int produced;

  PlayedCompletions(FakeHca hca) {
    this.hca = hca;
    View command = hca.lastCommand(CommandOpcode.CREATE_CQ);
    cqc = command.at(CreateCqIn.CQ_CONTEXT);
    ring = hca.umems.get(command.getInt(CreateCqIn.CQ_UMEM_ID));
    logEntries = cqc.getInt(Cqc.LOG_CQ_SIZE);
  }

  /** Goes on in another ring. */
  void moveTo(MemorySegment other, int log) {
    ring = other;
    logEntries = log;
  }

  /** Writes an entry of 64 bytes. */
  void write(int opcode, int userIndex, int qpn, int counter, long timestampWord) {
    int index = produced++;
    long cqe = ring.address() + 64L * (index & (1 << logEntries) - 1);
    int opOwn = Cqe.opOwn(opcode, false, index >>> logEntries);
    Memory.putLong(cqe + Cqe.UIDX_IMMEDIATE_WORD, Cqe.uidxImmediateWord(userIndex, 0));
    Memory.putLong(cqe + Cqe.TIMESTAMP_WORD, timestampWord);
    Memory.putLongRelease(cqe + Cqe.LAST_WORD, Cqe.lastWord(0, qpn, counter, opOwn));
  }

  /** Writes an entry of 64 bytes, word by word but for the owner bit, which is right. */
  void write(long[] words) {
    int index = produced++;
    long cqe = ring.address() + 64L * (index & (1 << logEntries) - 1);
    int last = words.length - 1;
    for (int i = 0; i < last; i++) {
      Memory.putLong(cqe + 8L * i, words[i]);
    }
    int owner = index >>> logEntries & Cqe.OWNER_MASK;
    Memory.putLongRelease(cqe + 8L * last, words[last] & ~(long) Cqe.OWNER_MASK | owner);
  }

  /** The consumer index that the driver wrote. */
  int consumerIndex() {
    return Memory.getInt(record());
  }

  /** The arm command that the driver wrote. */
  int armCommand() {
    return Memory.getInt(record() + 4);
  }

  private long record() {
    return hca.umems.get(cqc.getInt(Cqc.DBR_UMEM_ID)).address() + cqc.get(Cqc.DBR_ADDR);
  }
}
