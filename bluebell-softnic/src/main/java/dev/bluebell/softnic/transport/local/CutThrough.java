package dev.bluebell.softnic.transport.local;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionBatch;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import java.util.Objects;

/**
 * Executes simple requests between two queue pairs of this device in one step, from the ring to the
 * completion. Conditions: no request is outstanding, the peer expects exactly this PSN, and the WQE
 * is an RDMA WRITE, SEND or READ with one data segment. The effect is the same as with requester,
 * route and responder, but without packets, at a fraction of the cost.
 *
 * <p>It decides before it changes anything. Unusual or invalid requests stay in the ring, for the
 * requester to execute or refuse, so all explanations are in one place.
 */
public final class CutThrough {
  /** In place of the bytes of a request: it must be sent as packets. */
  private static final int TRAVELS = -1;

  private final ServiceType service;
  private final int number;
  private final int pd;
  private final int userIndex;
  private final SendQueue sendQueue;
  private final CompletionQueue completions;
  private final CompletionBatch batch;
  private final KeyTable keys;
  private final FlightRecorder recorder;
  private final Counters counters;

  // For dynamically connected initiators, whose requests name their target and have two WQEBBs.
  private final Addressing addressing;
  private final boolean isAddressed;
  private final int logBlocks;

  // First words of the control segments of simple requests, without the index.
  private final long plainWrite;
  private final long plainWriteImmediate;
  private final long plainSend;
  private final long plainSendImmediate;
  private final long plainRead;

  private int messages;
  private int psn;

  // Of the last run.
  private int writes;
  private int reads;

  // Whether the last run met memory that is gone.
  private boolean cutShort;

  // Receive WQEs known to be available, with room for their completions.
  private int receivable;

  /**
   * @param addressing says whether requests name their target, and compares it with that of the
   *     connection
   */
  public CutThrough(
      Chip chip,
      QpIdentity self,
      SendQueue sendQueue,
      CompletionQueue completions,
      Addressing addressing) {
    this.sendQueue = sendQueue;
    this.completions = completions;
    this.addressing = addressing;
    isAddressed = addressing.isPerRequest();
    logBlocks = isAddressed ? 1 : 0;
    service = self.service();
    number = self.number();
    pd = self.pd();
    userIndex = self.userIndex();
    batch = chip.batch();
    keys = chip.keys();
    recorder = chip.recorder();
    counters = chip.counters();
    plainWrite = plain(WqeOpcode.RDMA_WRITE);
    plainWriteImmediate = plain(WqeOpcode.RDMA_WRITE_IMM);
    plainSend = plain(WqeOpcode.SEND);
    plainSendImmediate = plain(WqeOpcode.SEND_IMM);
    plainRead = plain(WqeOpcode.RDMA_READ);
  }

  private long plain(int opcode) {
    return plain(service, opcode, number);
  }

  /**
   * First word of the control segment of a request with one data segment, without its index.
   *
   * @param number of the queue pair
   */
  public static long plain(ServiceType service, int opcode, int number) {
    WqeForm form = Objects.requireNonNull(WqeForm.of(service, opcode, 0));
    int bytes = form.fixedBytes() + DataSegment.BYTES;
    return ControlSegment.first(0, 0, opcode, number, bytes / ControlSegment.BYTES);
  }

  /** Messages that the last {@link #run} executed. */
  public int messages() {
    return messages;
  }

  /** PSN behind the last of them. */
  public int nextPsn() {
    return psn;
  }

  /** True when the last run met memory that is gone; the next request is sent as a packet. */
  public boolean isCutShort() {
    return cutShort;
  }

  /**
   * Executes as many requests as possible at the head of the ring.
   *
   * @param peer of the responder, which expects the first PSN
   * @param firstPsn PSN of the first request
   * @param burst payload bytes that a request may carry
   * @param inlineAnswers READs of up to so many bytes are sent as packets, because their data goes
   *     into their CQEs
   * @param most bound on the number of messages
   * @param budget bytes after which to stop
   * @return false when the send CQ is overrun, after the last of the messages
   */
  public boolean run(
      DirectDelivery peer,
      int firstPsn,
      int logMtu,
      int burst,
      int inlineAnswers,
      int most,
      long budget) {
    int peerPd = peer.writablePd();
    long left = budget;
    int done = 0;
    int next = firstPsn;
    boolean hasRoom = true;
    int ahead;
    int stop;
    receivable = 0;
    int inlineSends = peer.inlineBytes();
    boolean shared = peer.completesIn(completions);
    writes = 0;
    reads = 0;
    int first = sendQueue.nextIndex();
    int produced = completions.produced();
    int bytes = 0;
    cutShort = false;
    try {
      try {
        do {
          ahead = sendQueue.readAhead();
          stop = Math.min(most, done + (ahead >> logBlocks));
          batch.open(completions, stop - done);
          int index = sendQueue.nextIndex();
          while (done < stop && left > 0 && hasRoom) {
            long at = sendQueue.at(index);
            long form = Memory.getLong(at) ^ ControlSegment.first(0, index, 0, 0, 0);
            long control = Memory.getLong(at + 8);
            int flags = ControlSegment.fmCeSe(control);
            if ((flags & ControlSegment.FENCE_MASK) != 0) {
              break;
            }
            long segments = at + ControlSegment.BYTES;
            if (isAddressed) {
              if (!addressing.isNamed(segments)) {
                break;
              }
              // The second WQEBB follows the address vector, possibly wrapped to the start of the
              // ring.
              segments = sendQueue.at(index + 1);
            }
            if (form == plainWrite) {
              bytes = write(segments, peerPd, burst);
            } else if (form == plainWriteImmediate) {
              bytes = writeImmediate(segments, control, peer, peerPd, burst);
            } else if (form == plainSend || form == plainSendImmediate) {
              bytes = send(segments, form, control, peer, inlineSends, burst);
            } else if (form == plainRead) {
              bytes = read(segments, peer, inlineAnswers, burst);
            } else {
              break;
            }
            if (bytes == TRAVELS) {
              break;
            }
            int opcode = ControlSegment.opcode(form);
            recorder.record(HcaHappening.FETCHED, number, index, opcode);
            if ((flags & ControlSegment.CE_MASK) >= ControlSegment.CE_ALWAYS) {
              hasRoom =
                  completions.completeRequest(
                      number, userIndex, opcode, index, form == plainRead ? bytes : 0);
              if (hasRoom && (flags & ControlSegment.CE_MASK) == ControlSegment.CE_ALWAYS_EVENT) {
                completions.solicit();
              }
              // The completion may have taken room in the queue that receives complete in.
              receivable = shared ? 0 : receivable;
            }
            batch.moved(bytes);
            index = index + (1 << logBlocks) & 0xffff;
            done++;
            left -= bytes;
            next = Psn.add(next, Psn.packets(bytes, logMtu));
            produced = completions.produced();
          }
          sendQueue.passTo(index);
        } while (ahead == SendQueue.AHEAD && done == stop && done < most);
      } finally {
        batch.close();
      }
    } catch (InternalError gone) {
      cutShort = true;
      if (completions.produced() != produced) {
        // The error came late: the request is complete.
        done++;
        left -= bytes;
        next = Psn.add(next, Psn.packets(bytes, logMtu));
      }
      sendQueue.passTo(first + (done << logBlocks) & 0xffff);
    }
    messages = done;
    psn = next;
    if (done > 0) {
      count(Psn.distance(firstPsn, next), budget - left);
    }
    return hasRoom;
  }

  /**
   * Both ends are on this port, so each sent packet is also received. One acknowledgement covers
   * all.
   */
  private void count(int psns, long bytes) {
    int packets = psns + reads + 1;
    counters.sent(packets, bytes);
    counters.received(packets, bytes);
    counters.count(QueueCounter.WRITE_REQUESTS, writes);
    counters.count(QueueCounter.READ_REQUESTS, reads);
  }

  /**
   * True for an inline segment, for 2 GiB, for data that goes into a CQE, and for more than one
   * request carries.
   *
   * @param inline bytes up to which data goes into a CQE
   */
  private static boolean isUnusual(long data, int bytes, int inline, int burst) {
    return data < 0 || bytes <= inline || bytes > burst;
  }

  private int write(long at, int peerPd, int burst) {
    long address = Memory.getLong(at);
    int rkey = RemoteAddressSegment.rkey(Memory.getLong(at + 8));
    long data = Memory.getLong(at + 16);
    long local = Memory.getLong(at + 24);
    int bytes = DataSegment.byteCount(data);
    if (isUnusual(data, bytes, 0, burst)) {
      return TRAVELS;
    }
    long from = keys.translate(DataSegment.lkey(data), local, bytes, pd, MemoryKey.LOCAL_READ);
    long to = keys.translate(rkey, address, bytes, peerPd, MemoryKey.REMOTE_WRITE);
    if (from == KeyTable.REFUSED || to == KeyTable.REFUSED) {
      return TRAVELS;
    }
    Memory.copy(from, to, bytes);
    writes++;
    return bytes;
  }

  private int writeImmediate(long at, long control, DirectDelivery peer, int peerPd, int burst) {
    if (!isReceivable(peer)) {
      return TRAVELS;
    }
    int bytes = write(at, peerPd, burst);
    if (bytes != TRAVELS) {
      receivable--;
      peer.receiveImmediate(bytes, ControlSegment.immediate(control), isSolicited(control));
    }
    return bytes;
  }

  private int send(
      long at, long form, long control, DirectDelivery peer, int inlineSends, int burst) {
    long data = Memory.getLong(at);
    long local = Memory.getLong(at + 8);
    int bytes = DataSegment.byteCount(data);
    if (isUnusual(data, bytes, inlineSends, burst) || !isReceivable(peer)) {
      return TRAVELS;
    }
    long from = keys.translate(DataSegment.lkey(data), local, bytes, pd, MemoryKey.LOCAL_READ);
    long to = peer.landing(bytes);
    if (from == KeyTable.REFUSED || to == KeyTable.REFUSED) {
      return TRAVELS;
    }
    Memory.copy(from, to, bytes);
    receivable--;
    if (form == plainSend) {
      peer.receiveSend(CqeOpcode.RESP_SEND, bytes, 0, isSolicited(control));
    } else {
      int immediate = ControlSegment.immediate(control);
      peer.receiveSend(CqeOpcode.RESP_SEND_IMM, bytes, immediate, isSolicited(control));
    }
    return bytes;
  }

  private int read(long at, DirectDelivery peer, int inlineAnswers, int burst) {
    long address = Memory.getLong(at);
    int rkey = RemoteAddressSegment.rkey(Memory.getLong(at + 8));
    long data = Memory.getLong(at + 16);
    long local = Memory.getLong(at + 24);
    int bytes = DataSegment.byteCount(data);
    if (isUnusual(data, bytes, inlineAnswers, burst)) {
      return TRAVELS;
    }
    long from = keys.translate(rkey, address, bytes, peer.readablePd(), MemoryKey.REMOTE_READ);
    long to = keys.translate(DataSegment.lkey(data), local, bytes, pd, MemoryKey.LOCAL_WRITE);
    if (from == KeyTable.REFUSED || to == KeyTable.REFUSED) {
      return TRAVELS;
    }
    Memory.copy(from, to, bytes);
    reads++;
    return bytes;
  }

  private boolean isReceivable(DirectDelivery peer) {
    if (receivable == 0) {
      receivable = peer.receivable();
    }
    return receivable > 0;
  }

  private static boolean isSolicited(long control) {
    return (ControlSegment.fmCeSe(control) & ControlSegment.SOLICITED) != 0;
  }
}
