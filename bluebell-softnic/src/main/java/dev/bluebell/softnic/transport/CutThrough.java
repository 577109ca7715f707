package dev.bluebell.softnic.transport;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.packet.Psn;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;

/**
 * Executes RDMA WRITEs between two queue pairs of this device from the ring to the completion in
 * one go, when nothing can come between: nothing is outstanding, the peer waits for exactly this
 * PSN, and the WQE is of the plain kind, with one data segment. It is what {@link RcRequester},
 * link and {@link RcResponder} do with such requests, without the messages between them, at a fifth
 * of the cost.
 *
 * <p>It decides before it changes anything. Whatever is unusual or wrong it leaves in the ring,
 * untouched, for the requester to execute or to refuse; so there is one place that explains.
 */
final class CutThrough {
  private static final int PLAIN_DS =
      (ControlSegment.BYTES + RemoteAddressSegment.BYTES + DataSegment.BYTES)
          / ControlSegment.BYTES;

  private final int number;
  private final int pd;
  private final int userIndex;
  private final SendQueue sendQueue;
  private final CompletionQueue completions;
  private final KeyTable keys;
  private final FlightRecorder recorder;
  private final long plainWrite;
  private final long plainWriteImmediate;

  private int messages;
  private int psn;

  CutThrough(Chip chip, QpIdentity self, SendQueue sendQueue, CompletionQueue completions) {
    this.sendQueue = sendQueue;
    this.completions = completions;
    number = self.number();
    pd = self.pd();
    userIndex = self.userIndex();
    keys = chip.keys();
    recorder = chip.recorder();
    plainWrite = ControlSegment.first(0, 0, WqeOpcode.RDMA_WRITE, number, PLAIN_DS);
    plainWriteImmediate = ControlSegment.first(0, 0, WqeOpcode.RDMA_WRITE_IMM, number, PLAIN_DS);
  }

  /** Messages that the last {@link #run} executed. */
  int messages() {
    return messages;
  }

  /** PSN behind the last of them. */
  int nextPsn() {
    return psn;
  }

  /**
   * Executes what it can at the head of the ring.
   *
   * @param peer the responder, which {@link RcResponder#awaits} the first PSN
   * @param firstPsn PSN of the first request
   * @param burst payload bytes that a request may carry
   * @param most messages after which to stop
   * @param budget bytes after which to stop
   * @return false when the send CQ is overrun, after the last of the messages
   */
  boolean run(RcResponder peer, int firstPsn, int logMtu, int burst, int most, long budget) {
    if (!peer.allowsWrite()) {
      messages = 0;
      return true;
    }
    int peerPd = peer.pd();
    long left = budget;
    int done = 0;
    int next = firstPsn;
    int receivable = 0;
    boolean hasRoom = true;
    int ahead;
    int stop;
    do {
      ahead = sendQueue.readAhead();
      stop = Math.min(most, done + ahead);
      int index = sendQueue.nextIndex();
      while (done < stop && left > 0 && hasRoom) {
        long at = sendQueue.at(index);
        long form = Memory.getLong(at) ^ ControlSegment.first(0, index, 0, 0, 0);
        boolean immediate = form == plainWriteImmediate;
        if (form != plainWrite && !immediate) {
          break;
        }
        long control = Memory.getLong(at + 8);
        int flags = ControlSegment.fmCeSe(control);
        long address = Memory.getLong(at + 16);
        int rkey = RemoteAddressSegment.rkey(Memory.getLong(at + 24));
        long data = Memory.getLong(at + 32);
        long local = Memory.getLong(at + 40);
        int bytes = DataSegment.byteCount(data);
        // An inline segment, nothing, more than one request carries, or a fence.
        if (data < 0 || bytes == 0 || bytes > burst || (flags & ControlSegment.FENCE_MASK) != 0) {
          break;
        }
        long from = keys.translate(DataSegment.lkey(data), local, bytes, pd, MemoryKey.LOCAL_READ);
        long to = keys.translate(rkey, address, bytes, peerPd, MemoryKey.REMOTE_WRITE);
        if (immediate && receivable == 0) {
          receivable = peer.receivable();
        }
        if (from == KeyTable.REFUSED || to == KeyTable.REFUSED || immediate && receivable == 0) {
          break;
        }
        recorder.record(Happening.FETCHED, number, index, ControlSegment.opcode(form));
        Memory.copy(from, to, bytes);
        done++;
        left -= bytes;
        next = Psn.add(next, Psn.packets(bytes, logMtu));
        if (immediate) {
          receivable--;
          peer.receiveImmediate(
              bytes, ControlSegment.immediate(control), (flags & ControlSegment.SOLICITED) != 0);
        }
        if ((flags & ControlSegment.CE_MASK) >= ControlSegment.CE_ALWAYS) {
          hasRoom =
              completions.completeRequest(number, userIndex, ControlSegment.opcode(form), index, 0);
          // The completion may have taken room in the very queue that receives complete in.
          receivable = 0;
        }
        index = index + 1 & 0xffff;
      }
      sendQueue.passTo(index);
    } while (ahead == SendQueue.AHEAD && done == stop && done < most);
    messages = done;
    psn = next;
    return hasRoom;
  }
}
