package dev.bluebell.roce.conversation;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Psn;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The packets of one connection from one host to a queue pair of another: its requests, and its
 * responses. PSNs are extended to 64 bits here, so that they do not wrap. The first one keeps its
 * value.
 */
final class Flow {
  /** A PSN farther than this from the expected ones does not continue a connection. */
  static final int WINDOW = 1 << 16;

  /** Binary logarithm of the smallest path MTU. */
  private static final int LEAST_LOG_MTU = 8;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final int ATOMIC_ALIGNMENT = 7;

  final Key key;

  /** The flow of the other direction; null if not found. */
  @Nullable Flow peer;

  /** Remembered requests, by PSN. */
  private final Map<Long, Request> requests = new HashMap<>();

  /** The first remembered request that uses an rkey. */
  private final Map<Integer, Request> firstOfKey = new HashMap<>();

  /** Remembered PSNs of responses. */
  private final Set<Long> answered = new HashSet<>();

  private @Nullable Request message;
  private boolean started;
  private long first;

  /** One more than the highest PSN of a request or a READ response. */
  private long next;

  /** The next request has at most this PSN: a READ may take more PSNs than it was seen to take. */
  private long reach;

  /** The request with the highest PSN. */
  private long newest;

  private long acknowledged;
  private boolean anyAcknowledged;

  // ---- what is reported

  long packets;
  long firstFrame;
  long lastFrame;
  long requestPackets;
  long messages;
  long payloadBytes;
  long retransmissions;
  long duplicates;
  long missing;
  long acks;
  long readResponses;
  long atomicResponses;
  long repeatedResponses;
  long congestionNotifications;
  long badIcrc;

  /** Number of NAKs by meaning. */
  final Map<String, Long> naks = new TreeMap<>();

  /** Number of RNR NAKs by their timer in µs. */
  final Map<Integer, Long> rnrNaks = new TreeMap<>();

  /**
   * The packets that belong to a flow.
   *
   * @param sourceQpn the sending queue pair of datagrams; −1 for other packets, which do not name
   *     it
   */
  record Key(String source, String destination, int service, int destinationQpn, int sourceQpn) {
    /** The other direction, of a flow that this queue pair sends. */
    Key opposite(int sender) {
      return new Key(destination, source, service, sender, sourceQpn < 0 ? -1 : destinationQpn);
    }
  }

  Flow(Key key) {
    this.key = key;
  }

  /** A PSN in 64 bits, at most 2^23 from the next one. */
  long extended(int psn) {
    return started ? next + Psn.distance((int) (next & Psn.MASK), psn) : psn;
  }

  boolean hasRequest(int psn) {
    return started && isWithin(extended(psn));
  }

  private boolean isWithin(long psn) {
    return psn >= first && psn < next;
  }

  /** Forgets the request with a PSN, and that it was answered. */
  void forget(long psn) {
    Request request = requests.remove(psn);
    answered.remove(psn);
    if (request != null) {
      firstOfKey.remove(request.rkey(), request);
    }
  }

  /** Forgets all requests, but not the counts. */
  void forgetAll() {
    requests.clear();
    firstOfKey.clear();
    answered.clear();
    message = null;
  }

  boolean hasRequests() {
    return started;
  }

  int firstPsn() {
    return (int) (first & Psn.MASK);
  }

  int lastPsn() {
    return (int) (next - 1 & Psn.MASK);
  }

  /** PSNs behind the last acknowledged one, of a reliable service. */
  long unacknowledged() {
    return started && isReliable() ? next - unanswered() : 0;
  }

  /** The lowest PSN that was not acknowledged. */
  private long unanswered() {
    return anyAcknowledged ? acknowledged + 1 : first;
  }

  private boolean isReliable() {
    return key.service() == BthOpcode.RC || key.service() == BthOpcode.XRC;
  }

  // ---- requests

  /** True for a request that continues neither the requests nor a retransmission of them. */
  boolean isOther(PacketView packet) {
    if (!started || key.service() == BthOpcode.UD) {
      return false;
    }
    long psn = extended(packet.psn());
    if (psn < next) {
      Request same = requests.get(psn);
      return psn < Math.min(newest, unanswered()) - WINDOW
          && (same == null || same.opcode() != packet.opcode());
    }
    // A later packet of a message shows that packets are missing.
    return psn > reach + WINDOW && BthOpcode.isFirst(packet.opcode());
  }

  void request(PacketView packet, long frame, long nanoseconds, List<String> notes) {
    requestPackets++;
    payloadBytes += packet.payloadBytes();
    long psn = extended(packet.psn());
    if (key.service() == BthOpcode.UD) {
      messages++;
      extend(psn);
      return;
    }
    if (started && psn < next) {
      repeated(packet, psn, nanoseconds, notes);
      return;
    }
    if (started && psn > reach) {
      missing += psn - reach;
      notes.add(
          psn - reach == 1
              ? "gap: PSN 0x%06x is not in the capture before it".formatted(reach & Psn.MASK)
              : "gap: PSN 0x%06x to 0x%06x are not in the capture before it"
                  .formatted(reach & Psn.MASK, psn - 1 & Psn.MASK));
    }
    Request request =
        Request.of(
            packet, psn, frame, nanoseconds, BthOpcode.isFirst(packet.opcode()) ? null : message);
    message = BthOpcode.isFirst(packet.opcode()) ? request : message;
    messages += BthOpcode.isLast(packet.opcode()) ? 1 : 0;
    requests.put(psn, request);
    if (request.hasKey()) {
      firstOfKey.putIfAbsent(request.rkey(), request);
    }
    extend(psn);
    newest = psn;
    reach = request.isRead() ? psn + Psn.packets(request.length(), LEAST_LOG_MTU) : next;
  }

  private void extend(long psn) {
    if (!started) {
      started = true;
      first = psn;
      next = psn;
      newest = psn;
    }
    if (psn >= next) {
      next = psn + 1;
      reach = Math.max(reach, next);
    }
  }

  private void repeated(PacketView packet, long psn, long nanoseconds, List<String> notes) {
    retransmissions++;
    Request original = requests.get(psn);
    StringBuilder note = new StringBuilder("retransmission");
    if (original != null) {
      note.append(
          " of packet %d, %.3f ms later"
              .formatted(
                  original.frame(), (nanoseconds - original.nanoseconds()) / NANOS_PER_MILLI));
    } else if (BthOpcode.operation(packet.opcode()) == BthOpcode.READ_REQUEST && isWithin(psn)) {
      note.append(" of a READ from its middle, PSN 0x%06x".formatted(packet.psn()));
    } else {
      note.append(" of PSN 0x%06x, which the capture did not see before".formatted(packet.psn()));
    }
    if (isAcknowledged(psn)) {
      duplicates++;
      note.append("; a duplicate: the responder has acknowledged it before");
    }
    notes.add(note.toString());
  }

  // ---- responses, in the flow opposite to the requests

  /**
   * Takes a response.
   *
   * @param syndrome of its AETH; −1 without one
   * @param requester the flow with the request; null if it was not captured
   */
  void response(PacketView packet, int syndrome, @Nullable Flow requester, List<String> notes) {
    int psn = packet.psn();
    int operation = BthOpcode.operation(packet.opcode());
    boolean read = BthOpcode.isReadResponse(packet.opcode());
    readResponses += read ? 1 : 0;
    atomicResponses += operation == BthOpcode.ATOMIC_ACKNOWLEDGE ? 1 : 0;
    payloadBytes += packet.payloadBytes();
    if (syndrome >= 0 && Aeth.isRnrNak(syndrome)) {
      int microseconds = Aeth.rnrMicroseconds(Aeth.rnrTimer(syndrome));
      rnrNaks.merge(microseconds, 1L, Long::sum);
      notes.add(
          "RNR NAK: no receive was posted for %s; the requester waits %d µs at least"
              .formatted(named(requester, psn), microseconds));
    } else if (syndrome >= 0 && !Aeth.isAck(syndrome)) {
      naks.merge(Aeth.text(syndrome), 1L, Long::sum);
      notes.add(Aeth.text(syndrome) + refusal(requester, psn, syndrome));
    } else {
      acks += operation == BthOpcode.ACKNOWLEDGE ? 1 : 0;
      if (requester != null && requester.answer(packet)) {
        repeatedResponses++;
        notes.add(
            operation == BthOpcode.ACKNOWLEDGE
                ? "repeated ACK: PSN 0x%06x was acknowledged before".formatted(psn)
                : "repeated response: PSN 0x%06x was answered before".formatted(psn));
      }
      return;
    }
    if (requester != null) {
      requester.acknowledge(requester.extended(psn) - 1);
    }
  }

  /** True when it was answered before. */
  private boolean answer(PacketView packet) {
    long psn = extended(packet.psn());
    int operation = BthOpcode.operation(packet.opcode());
    if (operation != BthOpcode.ACKNOWLEDGE && (!started || psn < reach)) {
      extend(psn);
    }
    if (BthOpcode.isReadResponse(packet.opcode())
        && BthOpcode.isLast(packet.opcode())
        && psn >= newest) {
      reach = next;
    }
    acknowledge(psn);
    return !answered.add(psn);
  }

  private void acknowledge(long psn) {
    if (isWithin(psn) && !isAcknowledged(psn)) {
      acknowledged = psn;
      anyAcknowledged = true;
    }
  }

  private @Nullable Request find(int psn) {
    return requests.get(extended(psn));
  }

  private static String named(@Nullable Flow requester, int psn) {
    Request request = requester == null ? null : requester.find(psn);
    return request == null
        ? "PSN 0x%06x".formatted(psn)
        : "packet %d (%s, PSN 0x%06x)"
            .formatted(request.frame(), BthOpcode.text(request.opcode()), psn);
  }

  private static String refusal(@Nullable Flow requester, int psn, int syndrome) {
    if (syndrome == Aeth.PSN_SEQUENCE_NAK) {
      return ": the responder expects PSN 0x%06x, and everything from there on must be sent again"
          .formatted(psn);
    }
    Request request = requester == null ? null : requester.find(psn);
    String refused = " of " + named(requester, psn);
    if (request == null || requester == null) {
      return refused;
    }
    return refused
        + switch (syndrome) {
          case Aeth.REMOTE_ACCESS_NAK -> access(requester, request.head());
          case Aeth.INVALID_REQUEST_NAK -> invalid(request);
          case Aeth.REMOTE_OPERATION_NAK ->
              ": the responder failed at it, for instance because its receive buffer is too short"
                  + " or has a wrong lkey";
          default -> "";
        };
  }

  /** Explains a refused access, as far as earlier accesses show the cause. */
  private static String access(Flow requester, Request head) {
    if (!head.hasKey()) {
      return "";
    }
    String fields =
        ": %s va=0x%016x rkey=0x%08x%s of packet %d is refused: "
            .formatted(
                head.isAtomic() ? "AtomicETH" : "RETH",
                head.address(),
                head.rkey(),
                head.isAtomic() ? "" : " dmalen=" + head.length(),
                head.frame());
    Request good = requester.firstOfKey.get(head.rkey());
    return fields
        + (good == null || good.equals(head) || !requester.isAcknowledged(good.psn())
            ? "the rkey is unknown, or the range, right or protection domain is wrong; a NAK does"
                + " not say which"
            : "rkey was good in packet %d, so the range or the right is wrong"
                .formatted(good.frame()));
  }

  private boolean isAcknowledged(long psn) {
    return anyAcknowledged && psn <= acknowledged;
  }

  /** Explains why a request is invalid, if the capture shows it. */
  private static String invalid(Request request) {
    if (request.isAtomic() && (request.address() & ATOMIC_ALIGNMENT) != 0) {
      return ": AtomicETH va=0x%016x is not a multiple of 8".formatted(request.address());
    }
    if (!BthOpcode.isFirst(request.opcode()) && request.start() == null) {
      return ": %s without a first packet before it".formatted(BthOpcode.text(request.opcode()));
    }
    return ": an order of opcodes, a length or an operation that the responder does not allow; a"
        + " NAK does not say which";
  }
}
