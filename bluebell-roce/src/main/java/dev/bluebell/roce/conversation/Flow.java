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

/** The packets from one host to one queue pair of another: its requests, and its responses. */
final class Flow {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int ATOMIC_ALIGNMENT = 7;

  final Key key;

  /** The flow of the other direction; null if not found. */
  @Nullable Flow peer;

  private final Map<Integer, Request> requests = new HashMap<>();

  /** The first request that uses an rkey. */
  private final Map<Integer, Request> firstOfKey = new HashMap<>();

  private final Set<Integer> answered = new HashSet<>();
  private @Nullable Request message;
  private boolean started;
  private int first;
  private int next;
  private int acknowledged;
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

  boolean hasRequest(int psn) {
    return requests.containsKey(psn) || started && isWithin(psn);
  }

  private boolean isWithin(int psn) {
    return Psn.distance(first, psn) >= 0 && Psn.distance(psn, next) > 0;
  }

  boolean hasRequests() {
    return started;
  }

  int firstPsn() {
    return first;
  }

  int lastPsn() {
    return Psn.add(next, -1);
  }

  /** PSNs behind the last acknowledged one, of a reliable service. */
  int unacknowledged() {
    if (!started || !isReliable()) {
      return 0;
    }
    return anyAcknowledged
        ? Math.max(0, Psn.distance(acknowledged, next) - 1)
        : Psn.distance(first, next);
  }

  private boolean isReliable() {
    return key.service() == BthOpcode.RC || key.service() == BthOpcode.XRC;
  }

  // ---- requests

  void request(PacketView packet, long frame, long nanoseconds, List<String> notes) {
    requestPackets++;
    payloadBytes += packet.payloadBytes();
    int psn = packet.psn();
    if (key.service() == BthOpcode.UD) {
      messages++;
      extend(psn);
      return;
    }
    int distance = started ? Psn.distance(next, psn) : 0;
    if (distance < 0) {
      repeated(packet, psn, nanoseconds, notes);
      return;
    }
    if (distance > 0 && !couldBeBehindARead()) {
      missing += distance;
      notes.add(
          distance == 1
              ? "gap: PSN 0x%06x is not in the capture before it".formatted(next)
              : "gap: PSN 0x%06x to 0x%06x are not in the capture before it"
                  .formatted(next, Psn.add(psn, -1)));
    }
    Request request =
        Request.of(packet, frame, nanoseconds, BthOpcode.isFirst(packet.opcode()) ? null : message);
    message = BthOpcode.isFirst(packet.opcode()) ? request : message;
    messages += BthOpcode.isLast(packet.opcode()) ? 1 : 0;
    requests.put(psn, request);
    if (request.hasKey()) {
      firstOfKey.putIfAbsent(request.rkey(), request);
    }
    answered.remove(psn);
    extend(psn);
  }

  /** True after a READ: the number of PSNs that it takes is known only when its response comes. */
  private boolean couldBeBehindARead() {
    Request last = requests.get(Psn.add(next, -1));
    return last != null && last.isRead();
  }

  private void extend(int psn) {
    if (!started) {
      started = true;
      first = psn;
      next = psn;
    }
    if (Psn.distance(next, psn) >= 0) {
      next = Psn.add(psn, 1);
    }
  }

  private void repeated(PacketView packet, int psn, long nanoseconds, List<String> notes) {
    retransmissions++;
    Request original = requests.get(psn);
    StringBuilder note = new StringBuilder("retransmission");
    if (original != null) {
      note.append(
          " of packet %d, %.3f ms later"
              .formatted(
                  original.frame(), (nanoseconds - original.nanoseconds()) / NANOS_PER_MILLI));
    } else if (BthOpcode.operation(packet.opcode()) == BthOpcode.READ_REQUEST && isWithin(psn)) {
      note.append(" of a READ from its middle, PSN 0x%06x".formatted(psn));
    } else {
      note.append(" of PSN 0x%06x, which the capture did not see before".formatted(psn));
    }
    if (anyAcknowledged && Psn.distance(psn, acknowledged) >= 0) {
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
      if (requester != null && requester.answer(psn, operation)) {
        repeatedResponses++;
        notes.add(
            operation == BthOpcode.ACKNOWLEDGE
                ? "repeated ACK: PSN 0x%06x was acknowledged before".formatted(psn)
                : "repeated response: PSN 0x%06x was answered before".formatted(psn));
      }
      return;
    }
    if (requester != null) {
      requester.acknowledge(Psn.add(psn, -1));
    }
  }

  /** True when it was answered before. */
  private boolean answer(int psn, int operation) {
    if (operation != BthOpcode.ACKNOWLEDGE) {
      extend(psn);
    }
    acknowledge(psn);
    return !answered.add(psn);
  }

  private void acknowledge(int psn) {
    if (started && (!anyAcknowledged || Psn.distance(acknowledged, psn) > 0) && isWithin(psn)) {
      acknowledged = psn;
      anyAcknowledged = true;
    }
  }

  private static String named(@Nullable Flow requester, int psn) {
    Request request = requester == null ? null : requester.requests.get(psn);
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
    Request request = requester == null ? null : requester.requests.get(psn);
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

  private boolean isAcknowledged(int psn) {
    return anyAcknowledged && Psn.distance(psn, acknowledged) >= 0;
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
