package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.NetworkHeader;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionBatch;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.local.CutThrough;
import dev.bluebell.softnic.transport.operation.SendSide;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Executes simple datagrams to queue pairs of this device in one step, from the ring to the
 * completion. The effect is the same as with {@link UdSender}, route and {@link UdResponder}, but
 * without packets, at a fraction of the cost. A simple datagram is a SEND with a full address
 * vector and one data segment, and fits the first buffer of the receiver's next receive WQE.
 *
 * <p>It decides before it changes anything. Unusual or invalid requests stay in the ring, for the
 * requester to execute or refuse, so all explanations are in one place.
 */
public final class UdCutThrough {
  /** WQEBBs of a simple datagram: control segment and address vector, then the data segment. */
  private static final int BLOCKS = 2;

  private static final int SERVICE = Opcodes.service(ServiceType.UD);

  private final Lifecycle life;
  private final int number;
  private final int pd;
  private final int userIndex;
  private final UdSender sender;
  private final Connection connection;
  private final DatagramPeers peers;
  private final SendQueue sendQueue;
  private final CompletionQueue completions;
  private final CompletionBatch batch;
  private final KeyTable keys;
  private final FlightRecorder recorder;
  private final Counters counters;

  // First words of the control segments of simple datagrams, without the index.
  private final long plain;
  private final long plainImmediate;

  // The address vector of the last datagram of a run, and its receiver.
  private final MemorySegment vector = Arena.ofAuto().allocate(AddressVector.BYTES, 8);
  private @Nullable UdResponder peer;

  // Most bytes of a datagram between the two.
  private long most;

  // True when the receiver's datagrams complete in the queue of the sender's requests.
  private boolean shared;

  // Receive WQEs known to be available, with room for their completions.
  private int receivable;

  /**
   * @param sender sends the other datagrams of this queue as packets
   * @param peers finds receivers
   */
  public UdCutThrough(End end, SendSide sends, UdSender sender, DatagramPeers peers) {
    Chip chip = end.chip();
    QpIdentity self = end.self();
    life = end.life();
    number = self.number();
    pd = self.pd();
    userIndex = self.userIndex();
    connection = end.connection();
    this.sender = sender;
    this.peers = peers;
    sendQueue = sends.queue();
    completions = sends.completions();
    batch = chip.batch();
    keys = chip.keys();
    recorder = chip.recorder();
    counters = chip.counters();
    plain = CutThrough.plain(ServiceType.UD, WqeOpcode.SEND, number);
    plainImmediate = CutThrough.plain(ServiceType.UD, WqeOpcode.SEND_IMM, number);
  }

  /**
   * Executes as many datagrams as possible at the head of the ring.
   *
   * @param most bound on the number of messages
   * @param budget bytes after which to stop
   * @return number of messages; its complement when the last one found the send CQ overrun
   */
  int run(int most, long budget) {
    long left = budget;
    int done = 0;
    boolean hasRoom = true;
    int ahead;
    int stop;
    peer = null;
    int first = sendQueue.nextIndex();
    int produced = completions.produced();
    int bytes = 0;
    try {
      try {
        do {
          ahead = sendQueue.readAhead();
          stop = Math.min(most, done + ahead / BLOCKS);
          batch.open(completions, stop - done);
          int index = sendQueue.nextIndex();
          while (done < stop && left > 0 && hasRoom) {
            long at = sendQueue.at(index);
            long form = Memory.getLong(at) ^ ControlSegment.first(0, index, 0, 0, 0);
            long control = Memory.getLong(at + 8);
            int flags = ControlSegment.fmCeSe(control);
            if (form != plain && form != plainImmediate
                || (flags & ControlSegment.FENCE_MASK) != 0
                || !aim(at + ControlSegment.BYTES)) {
              break;
            }
            // The second WQEBB may be at the start of the ring.
            bytes = send(sendQueue.at(index + 1), form == plainImmediate, control);
            if (bytes == 0) {
              break;
            }
            recorder.record(HcaHappening.FETCHED, number, index, ControlSegment.opcode(form));
            if ((flags & ControlSegment.CE_MASK) >= ControlSegment.CE_ALWAYS) {
              hasRoom = complete(ControlSegment.opcode(form), index, flags);
            }
            batch.moved(bytes);
            index = index + BLOCKS & 0xffff;
            done++;
            left -= bytes;
            produced = completions.produced();
          }
          sendQueue.passTo(index);
        } while (ahead == SendQueue.AHEAD && done == stop && done < most);
      } finally {
        batch.close();
      }
    } catch (InternalError gone) {
      // The next datagram is sent as a packet.
      if (completions.produced() != produced) {
        // The error came late: the request is complete.
        done++;
        left -= bytes;
      }
      sendQueue.passTo(first + done * BLOCKS & 0xffff);
      life.examine();
      if (peer != null) {
        peer.examine();
      }
    }
    if (done > 0) {
      sender.passed(done);
      counters.sent(done, budget - left);
      counters.received(done, budget - left);
    }
    return hasRoom ? done : ~done;
  }

  private boolean complete(int opcode, int index, int flags) {
    // The completion may take room in the queue that receives complete in.
    receivable = shared ? 0 : receivable;
    boolean hasRoom = completions.completeRequest(number, userIndex, opcode, index, 0);
    if (hasRoom && (flags & ControlSegment.CE_MASK) == ControlSegment.CE_ALWAYS_EVENT) {
      completions.solicit();
    }
    return hasRoom;
  }

  /**
   * Selects the receiver that an address vector names, usually that of the datagram before; false
   * when the datagram must be sent as a packet.
   */
  private boolean aim(long at) {
    long known = vector.address();
    if (peer != null && isSame(at, known)) {
      return true;
    }
    peer = null;
    receivable = 0;
    Memory.copy(at, known, AddressVector.BYTES);
    if (!AddressVector.isExtended(Memory.getLong(known + AddressVector.DESTINATION_WORD))
        || !sender.aim(known)) {
      return false;
    }
    Packet datagram = sender.packet();
    Route route = connection.route();
    UdResponder found = peers.datagrams(datagram.destinationQpn);
    if (route != null
        && route.isDirect()
        && NetworkHeader.holds(datagram)
        && found != null
        && found.takes(datagram)) {
      peer = found;
      most = Math.min(sender.most(), found.most());
      shared = found.completesIn(completions);
    }
    return peer != null;
  }

  private static boolean isSame(long at, long known) {
    for (int word = 0; word < AddressVector.BYTES; word += Long.BYTES) {
      if (Memory.getLong(at + word) != Memory.getLong(known + word)) {
        return false;
      }
    }
    return true;
  }

  /** Delivers a datagram, and returns its bytes; 0 when it must be sent as a packet. */
  private int send(long segment, boolean immediate, long control) {
    UdResponder to = Objects.requireNonNull(peer);
    long data = Memory.getLong(segment);
    int bytes = DataSegment.byteCount(data);
    if (receivable == 0) {
      receivable = to.receivable();
    }
    // A negative value is an inline segment, and 0 stands for 2 GiB.
    if (data < 0 || bytes == 0 || bytes > most || receivable == 0) {
      return 0;
    }
    long local = Memory.getLong(segment + 8);
    long from = keys.translate(DataSegment.lkey(data), local, bytes, pd, MemoryKey.LOCAL_READ);
    long landing = to.landing(NetworkHeader.BYTES + bytes);
    if (from == KeyTable.REFUSED || landing == KeyTable.REFUSED) {
      return 0;
    }
    receivable--;
    Packet datagram = sender.packet();
    datagram.opcode =
        SERVICE | Opcodes.part(immediate ? WqeOpcode.SEND_IMM : WqeOpcode.SEND, true, true);
    datagram.payloadBytes = bytes;
    long origin = to.header(landing, datagram);
    Memory.copy(from, landing + NetworkHeader.BYTES, bytes);
    to.pass(
        immediate ? CqeOpcode.RESP_SEND_IMM : CqeOpcode.RESP_SEND,
        origin,
        NetworkHeader.BYTES + bytes,
        immediate ? ControlSegment.immediate(control) : datagram.partitionKey,
        (ControlSegment.fmCeSe(control) & ControlSegment.SOLICITED) != 0);
    return bytes;
  }
}
