package dev.bluebell.softnic.transport.reliable;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.operation.AtomicRequests;
import dev.bluebell.softnic.transport.operation.DeferredKeyChange;
import dev.bluebell.softnic.transport.operation.FetchWatch;
import dev.bluebell.softnic.transport.operation.Gather;
import dev.bluebell.softnic.transport.operation.LocalOperation;
import dev.bluebell.softnic.transport.operation.LocalOperations;
import dev.bluebell.softnic.transport.operation.Outstanding;
import dev.bluebell.softnic.transport.operation.Progress;
import dev.bluebell.softnic.transport.operation.RefusedRequest;
import org.jspecify.annotations.Nullable;

/**
 * Sends the outstanding work requests of a reliable connection, plain or of XRC, as packets, in
 * order and in pieces, and rewinds when some must be sent again. Owned by the thread that runs the
 * engine.
 */
public final class RcSender {
  private static final int FENCE_SHIFT = Integer.numberOfTrailingZeros(ControlSegment.FENCE_MASK);

  private final Lifecycle life;
  private final Connection connection;
  private final Outstanding outstanding;
  private final PsnWindow window;
  private final Gather gather;
  private final LocalOperations operations;
  private final DeferredKeyChange keyChange;
  private final RefusedRequest refused;
  private final Counters counters;
  private final Effort effort;
  private final @Nullable FetchWatch watch;
  private final Packet packet = new Packet();
  private final int service;
  private final boolean isExtended;

  // The fence modes that wait for all earlier requests, as bits.
  private final int strongFences;

  // The entry being sent, and how many of its bytes were sent.
  private int cursor;
  private long sent;

  // True when messages are sent packet by packet, because their memory is very fragmented.
  private boolean heavy;

  // READs and atomics in flight, at most maxReads.
  private int reads;
  private int maxReads;

  // Packets after which an acknowledgement is requested, even within a message.
  private int askInterval;
  private int unasked;

  private int logMtu;
  private String lastDrop = "";

  /**
   * @param operations executes local requests, and holds the refused one
   * @param watch checks each request when it begins; null for no checks
   */
  RcSender(
      End end,
      Outstanding outstanding,
      PsnWindow window,
      LocalOperations operations,
      @Nullable FetchWatch watch) {
    Chip chip = end.chip();
    // If payload becomes visible out of order, every fence also orders memory, and waits for the
    // responses that confirm it.
    strongFences =
        fence(ControlSegment.FENCE_STRONG)
            | (chip.keys().reordered() == null
                ? 0
                : fence(ControlSegment.FENCE) | fence(ControlSegment.FENCE_SMALL_AND_FENCE));
    life = end.life();
    connection = end.connection();
    this.outstanding = outstanding;
    this.window = window;
    this.operations = operations;
    keyChange = operations.keyChange();
    refused = operations.refused();
    gather = new Gather(chip, end.self(), refused.fault());
    service = Opcodes.service(connection.service());
    counters = chip.counters();
    effort = chip.scheduler().effort();
    this.watch = watch;
    isExtended = connection.service() == ServiceType.XRC;
  }

  private static int fence(int mode) {
    return 1 << (mode >>> FENCE_SHIFT);
  }

  public void reset() {
    cursor = outstanding.head();
    sent = 0;
    reads = 0;
    unasked = 0;
    lastDrop = "";
  }

  /** Applies the attributes that the transition to RTS sets. */
  public void start(View qpc) {
    maxReads = 1 << Math.min(qpc.getInt(Qpc.LOG_SRA_MAX), 4);
    askInterval = 1 << qpc.getInt(Qpc.LOG_ACK_REQ_FREQ);
  }

  /** Applies the attributes that may also change later. */
  public void configure() {
    logMtu = connection.logMtu();
    connection.address(packet);
  }

  /** The entry to send next, or to continue. */
  int cursor() {
    return cursor;
  }

  /** True when a part of the entry at the cursor was sent. */
  boolean isUnderWay() {
    return sent > 0;
  }

  /** Records why a request was dropped on its way. */
  public void noteDrop(String why) {
    lastDrop = why;
  }

  /** Why a request was last dropped; empty when none was. */
  String lastDrop() {
    return lastDrop;
  }

  /** Records the response of a READ or atomic. */
  void noteAnswer(int entry) {
    // After a rewind, the response may arrive before the request is sent again.
    if (entry - cursor < 0) {
      reads--;
    }
  }

  /** Records that the oldest entry was retired. */
  void noteRetired() {
    if (cursor - outstanding.head() < 0) {
      cursor = outstanding.head();
      sent = 0;
    }
  }

  /** True when a sent, unacknowledged packet has requested a response. */
  boolean isAsking() {
    return Psn.distance(window.unacked(), window.sent()) > unasked;
  }

  /**
   * Executes the entry at the cursor, or as much of it as the budget allows; returns the bytes
   * moved, {@link Progress#WAIT} or {@link Progress#REFUSED}.
   */
  public long send(long budget) {
    SendWqe wqe = outstanding.wqe(cursor);
    LocalOperation local = operations.of(wqe.opcode());
    if (sent == 0 && mustWait(wqe.fence()) && (local == null || local.heedsFences(wqe))) {
      return Progress.WAIT;
    }
    if (watch != null) {
      watch.begins(wqe);
    }
    if (!keyChange.precede(wqe)) {
      return Progress.REFUSED;
    }
    long moved = local == null ? transmit(wqe, budget) : execute(local, wqe, budget);
    if (moved == Progress.REFUSED) {
      refused.at(cursor);
    } else if (moved != Progress.WAIT && !keyChange.follow(wqe)) {
      return Progress.REFUSED;
    }
    return moved;
  }

  private long execute(LocalOperation local, SendWqe wqe, long budget) {
    if (sent == 0 && local.isUnrepeatable() && isBehindUnacknowledged()) {
      return Progress.WAIT;
    }
    long moved = local.execute(wqe, cursor, sent, budget);
    if (moved >= 0) {
      boolean done = sent + moved == local.bytes(wqe);
      sent = done ? 0 : sent + moved;
      cursor += done ? 1 : 0;
    }
    return moved;
  }

  private long transmit(SendWqe wqe, long budget) {
    packet.wqeIndex = wqe.index();
    if (isExtended) {
      packet.srqn = wqe.srqn();
    }
    return switch (wqe.opcode()) {
      case WqeOpcode.RDMA_READ -> sendRead(wqe);
      default -> AtomicRequests.isAtomic(wqe.opcode()) ? sendAtomic(wqe) : sendMessage(wqe, budget);
    };
  }

  private boolean mustWait(int fence) {
    if ((strongFences & fence(fence)) != 0) {
      return isBehindUnacknowledged();
    }
    return reads > 0 && fence >= ControlSegment.FENCE;
  }

  // Does not compare with the last sent PSN: during a retry, that is the request itself.
  private boolean isBehindUnacknowledged() {
    return Psn.distance(outstanding.firstPsn(cursor), window.unacked()) < 0;
  }

  /** True for the next entry when it has local work to do, which no PSN acknowledges. */
  boolean isToDo(int entry) {
    if (keyChange.isWaiting(entry)) {
      return true;
    }
    if (entry != cursor) {
      return false;
    }
    SendWqe wqe = outstanding.wqe(entry);
    LocalOperation local = operations.of(wqe.opcode());
    return local != null && local.isToDo(wqe);
  }

  private long sendMessage(SendWqe wqe, long budget) {
    long total = wqe.bytes();
    Gather.describe(wqe, packet);
    if (sent == 0 && total <= burst(budget)) {
      return sendPiece(wqe, (int) total, total);
    }
    return sendPieces(wqe, total, budget);
  }

  private long sendPieces(SendWqe wqe, long total, long budget) {
    int entry = cursor;
    long moved = 0;
    long most = budget + effort.spent();
    do {
      int train = burst(most - moved - effort.spent());
      long piece = sendPiece(wqe, (int) Math.min(total - sent, train), total);
      if (piece < 0) {
        return piece == Progress.REFUSED || moved == 0 ? piece : moved;
      }
      moved += piece;
    } while (cursor == entry && moved + effort.spent() < most && life.isReadyToSend());
    return moved;
  }

  private int burst(long budget) {
    return connection.burst(heavy ? 0 : budget);
  }

  /**
   * Sends the next {@code bytes} of the message; returns their number, {@link Progress#WAIT} or
   * {@link Progress#REFUSED}.
   */
  private long sendPiece(SendWqe wqe, int bytes, long total) {
    long spent = effort.spent();
    int first = Psn.add(outstanding.firstPsn(cursor), (int) (sent >>> logMtu));
    if (Psn.distance(window.unacked(), first) >= connection.window()) {
      // The next acknowledgement wakes the requester.
      return Progress.WAIT;
    }
    if (!gather.collect(wqe, sent, bytes, packet)) {
      return Progress.REFUSED;
    }
    long before = sent;
    boolean last = before + bytes == total;
    packet.opcode = service | Opcodes.part(wqe.opcode(), before == 0, last);
    packet.packets = Psn.packets(bytes, logMtu);
    packet.acknowledge =
        last || unasked + packet.packets >= Math.min(askInterval, connection.window() >>> 2);
    boolean delivered = deliver(first, packet.packets);
    heavy = Effort.isHeavy(effort.spent() - spent, heavy);
    if (!delivered) {
      return Progress.WAIT;
    }
    unasked = packet.acknowledge ? 0 : unasked + packet.packets;
    sent = last ? 0 : before + bytes;
    cursor += last ? 1 : 0;
    return bytes;
  }

  /**
   * Sends a READ. Unanswered requests have at most a window of responses, because more of them
   * could overrun the receive buffer. So a READ longer than the window is requested in parts, each
   * after the part before has arrived.
   */
  private long sendRead(SendWqe wqe) {
    int psn = Psn.add(outstanding.firstPsn(cursor), (int) (sent >>> logMtu));
    long left = wqe.bytes() - sent;
    long most = (long) connection.window() << logMtu;
    // A retried part ends where it ended before, because the responder remembers it as one READ.
    long length = Math.min(left, most - sent % most);
    int answers = Psn.packets(length, logMtu);
    int ahead = Psn.distance(window.unacked(), psn);
    boolean isLaterPart = sent > 0 && wqe.bytes() > most;
    if (ahead > 0 && (isLaterPart || ahead + answers > connection.window())) {
      return Progress.WAIT;
    }
    packet.opcode = service | BthOpcode.READ_REQUEST;
    packet.address = wqe.remoteAddress() + sent;
    packet.rkey = wqe.rkey();
    packet.length = length;
    return sendFetching(psn, answers, left - length);
  }

  private long sendAtomic(SendWqe wqe) {
    packet.opcode = service | AtomicRequests.operation(wqe.opcode());
    AtomicRequests.describe(wqe, packet);
    return sendFetching(outstanding.firstPsn(cursor), 1, 0);
  }

  /**
   * Sends a request whose response takes {@code answers} PSNs, starting with its own.
   *
   * @param left bytes of a READ that are requested later
   */
  private long sendFetching(int psn, int answers, long left) {
    if (reads == maxReads) {
      return Progress.WAIT;
    }
    packet.acknowledge = true;
    packet.solicited = false;
    packet.payload.clear();
    packet.payloadBytes = 0;
    packet.packets = 1;
    if (!deliver(psn, answers)) {
      return Progress.WAIT;
    }
    unasked = 0;
    if (left > 0) {
      sent += packet.length;
      return 0;
    }
    reads++;
    cursor++;
    sent = 0;
    return 0;
  }

  /**
   * Sends the packet, which takes {@code psns} PSNs from {@code psn} on; false when there is no
   * room for it now.
   */
  private boolean deliver(int psn, int psns) {
    Route route = connection.route();
    packet.psn = psn;
    packet.sessionPsn = window.unacked();
    if (route == null) {
      noteDrop(connection.whyUnreachable());
    } else if (!route.send(packet)) {
      return false;
    } else {
      counters.sent(packet.packets, packet.payloadBytes);
    }
    window.noteSent(Psn.add(psn, psns));
    return true;
  }

  /** Continues sending from {@code psn}, at the request that holds it. */
  void rewind(int psn) {
    // The retransmission may arrive.
    lastDrop = "";
    int entry = outstanding.head();
    int fetching = 0;
    while (entry != cursor && Psn.distance(outstanding.endPsn(entry), psn) >= 0) {
      if (outstanding.isUnanswered(entry, window.unacked())) {
        fetching++;
      }
      entry++;
    }
    if (entry != cursor || sent > 0) {
      cursor = entry;
      sent = (long) Psn.distance(outstanding.firstPsn(entry), psn) << logMtu;
      reads = fetching;
    }
  }
}
