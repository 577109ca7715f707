package dev.bluebell.roce.conversation;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Deth;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import dev.bluebell.roce.packet.Psn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Follows the conversations of queue pairs through a capture, packet by packet.
 *
 * <p>Only datagrams name the queue pair that sent them. The flows of both directions are paired by
 * connection manager messages, or else by their PSNs: a response has the PSN of its request.
 *
 * <p>A queue pair number may serve several connections, one after the other. Each is a conversation
 * of its own: it begins with a message of the connection manager, or with a request whose PSN is
 * more than 2^16 from all that are expected.
 *
 * <p>Memory is bounded, however long the capture is: see {@link #MOST_FLOWS} and {@link
 * #MOST_PACKETS}. Owned by one thread.
 */
public final class Conversations {
  /**
   * Maximum number of flows; two form a conversation. Packets of further flows are only counted.
   */
  public static final int MOST_FLOWS = 1 << 16;

  /**
   * Number of the latest packets of all flows whose PSNs are remembered. Notes on a packet name
   * only these.
   */
  public static final int MOST_PACKETS = 1 << 18;

  private static final int LARGEST_MTU = 4096;

  private static final int[] CONNECTED_SERVICES = {BthOpcode.RC, BthOpcode.UC, BthOpcode.XRC};

  /** All flows in the order of their start. */
  private final List<Flow> all = new ArrayList<>();

  /** The flows of the connections that did not end. */
  private final Map<Flow.Key, Flow> flows = new HashMap<>();

  private long unfollowed;

  /** The queue pairs for which connections were requested. */
  private final Map<CmId, Place> requested = new Bounded<>();

  private final Map<Place, Place> connected = new Bounded<>();

  /** The last connection manager message that named a queue pair. */
  private final Map<Place, CmMessage> named = new Bounded<>();

  /** The last flow with a request, by the fields that its response shows. */
  private final Map<Asked, Flow> asked = new HashMap<>();

  private final Queue<Remembered> remembered = new ArrayDeque<>();

  /** A queue pair's address and number. */
  private record Place(String address, int qpn) {}

  /** A communication id, which only its own host chooses. */
  private record CmId(String address, int id) {}

  /** The fields of a request that its response shows. */
  private record Asked(String source, String destination, int service, int psn) {
    static Asked of(Flow flow, int psn) {
      return new Asked(flow.key.source(), flow.key.destination(), flow.key.service(), psn);
    }
  }

  /** A request or a response to it, by the PSN that its flow knows it by. */
  private record Remembered(Flow requester, long psn) {}

  /** Keeps the latest entries. */
  private static final class Bounded<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MOST_FLOWS;
    }
  }

  /** No packets yet. */
  public Conversations() {}

  /**
   * Takes the next packet.
   *
   * @param frame its number in the capture
   * @param nanoseconds when it was captured
   * @return findings that its fields alone do not show, in sentences without a full stop
   */
  public List<String> add(PacketView packet, long frame, long nanoseconds) {
    List<String> notes = new ArrayList<>();
    if (packet.problem() != Problem.NONE) {
      if (!packet.problem().isOtherProtocol()) {
        notes.add("receivers drop it: " + packet.problem().sentence());
      }
      return notes;
    }
    boolean isDamaged = packet.hasIcrc() && !packet.isIcrcGood();
    Flow flow = flow(packet);
    if (!isDamaged && flow != null && isRequest(packet) && flow.isOther(packet)) {
      notes.add(
          "PSN 0x%06x is far from the expected 0x%06x: a new connection with the same queue pair"
                  .formatted(packet.psn(), Psn.add(flow.lastPsn(), 1))
              + " number, or more than %d packets are missing".formatted(Flow.WINDOW));
      end(flow);
      flow = flow(packet);
    }
    if (flow != null) {
      flow.packets++;
      flow.firstFrame = flow.packets == 1 ? frame : flow.firstFrame;
      flow.lastFrame = frame;
    }
    if (packet.payloadBytes() > LARGEST_MTU) {
      boolean isWhole = packet.hasIcrc() && !isDamaged;
      notes.add(
          "its payload is longer than the largest path MTU, %d bytes%s"
              .formatted(
                  LARGEST_MTU,
                  isWhole
                      ? ""
                      : ": perhaps it is a run of packets that was captured before the kernel cut"
                          + " it; capture at the receiver, or with the device's option pcap="));
    } else if (isDamaged) {
      notes.add(
          "ICRC wrong: it is %08x and must be %08x; receivers drop the packet without an answer"
              .formatted(packet.icrc(), packet.computeIcrc()));
    } else if (Summary.isCongested(packet)) {
      notes.add("congestion experienced: a switch marked it");
    }
    if (flow == null) {
      unfollowed++;
    } else if (isDamaged) {
      flow.badIcrc++;
    } else {
      follow(packet, flow, frame, nanoseconds, notes);
    }
    return notes;
  }

  private static boolean isRequest(PacketView packet) {
    return packet.opcode() != BthOpcode.CNP && !BthOpcode.isResponse(packet.opcode());
  }

  private void follow(
      PacketView packet, Flow flow, long frame, long nanoseconds, List<String> notes) {
    CmMessage.of(packet).ifPresent(message -> connect(packet, message));
    if (packet.opcode() == BthOpcode.CNP) {
      flow.congestionNotifications++;
      notes.add(
          "congestion notification: packets from QP 0x%x met congestion"
              .formatted(packet.destinationQpn()));
    } else if (isRequest(packet)) {
      flow.request(packet, frame, nanoseconds, notes);
      if (flow.key.service() != BthOpcode.UD) {
        asked.put(Asked.of(flow, packet.psn()), flow);
        remember(flow, packet.psn());
      }
    } else {
      int aeth = packet.at(Aeth.HEADER);
      Flow requester = requester(flow, packet.psn());
      flow.response(
          packet, aeth < 0 ? -1 : Aeth.SYNDROME.getInt(packet.buffer(), aeth), requester, notes);
      if (requester != null) {
        remember(requester, packet.psn());
      }
    }
  }

  private void remember(Flow requester, int psn) {
    remembered.add(new Remembered(requester, requester.extended(psn)));
    if (remembered.size() > MOST_PACKETS) {
      Remembered oldest = remembered.remove();
      oldest.requester.forget(oldest.psn);
      asked.remove(Asked.of(oldest.requester, (int) (oldest.psn & Psn.MASK)), oldest.requester);
    }
  }

  /** The flow of a packet; null for a new one when there are too many. */
  private @Nullable Flow flow(PacketView packet) {
    int deth = packet.at(Deth.HEADER);
    // A notification may concern a queue pair of any service.
    int service =
        packet.opcode() == BthOpcode.CNP ? BthOpcode.RC : BthOpcode.service(packet.opcode());
    Flow.Key key =
        new Flow.Key(
            Summary.address(packet, true),
            Summary.address(packet, false),
            service,
            packet.destinationQpn(),
            deth < 0 ? -1 : Deth.SRC_QP.getInt(packet.buffer(), deth));
    Flow known = flows.get(key);
    if (known != null || all.size() == MOST_FLOWS) {
      return known;
    }
    Flow flow = new Flow(key);
    all.add(flow);
    flows.put(key, flow);
    int sender = sender(key);
    Flow other = sender < 0 ? null : flows.get(key.opposite(sender));
    if (other != null && other != flow) {
      join(flow, other);
    }
    return flow;
  }

  /** The queue pair that sends a flow, as far as packets named it; otherwise −1. */
  private int sender(Flow.Key key) {
    if (key.sourceQpn() >= 0) {
      return key.sourceQpn();
    }
    Place sender = connected.get(new Place(key.destination(), key.destinationQpn()));
    return sender == null ? -1 : sender.qpn;
  }

  private static void join(Flow flow, Flow other) {
    flow.peer = other;
    other.peer = flow;
  }

  /** Ends a connection: further packets of the same queue pairs are of another one. */
  private void end(Flow flow) {
    flows.remove(flow.key, flow);
    flow.forgetAll();
    if (flow.peer != null) {
      flows.remove(flow.peer.key, flow.peer);
      flow.peer.forgetAll();
    }
  }

  private void connect(PacketView packet, CmMessage message) {
    String address = Summary.address(packet, true);
    boolean isNaming = message.name().equals(CmMessage.REQ) || message.name().equals(CmMessage.REP);
    // The connection manager may repeat a message after packets of the connection.
    if (isNaming && !message.equals(named.put(new Place(address, message.qpn()), message))) {
      for (int service : CONNECTED_SERVICES) {
        Flow former =
            flows.get(
                new Flow.Key(Summary.address(packet, false), address, service, message.qpn(), -1));
        if (former != null) {
          end(former);
        }
      }
    }
    if (message.name().equals(CmMessage.REQ)) {
      requested.put(new CmId(address, message.localId()), new Place(address, message.qpn()));
    } else if (message.name().equals(CmMessage.REP)) {
      Place active = requested.get(new CmId(Summary.address(packet, false), message.remoteId()));
      if (active != null) {
        Place passive = new Place(address, message.qpn());
        connected.put(active, passive);
        connected.put(passive, active);
      }
    }
  }

  /**
   * Finds the flow with the request of a response. It may differ from the flow paired with the
   * responses: a peer may use one number for several queue pairs.
   */
  private @Nullable Flow requester(Flow responses, int psn) {
    if (responses.peer != null && responses.peer.hasRequest(psn)) {
      return responses.peer;
    }
    Flow requester =
        asked.get(
            new Asked(
                responses.key.destination(), responses.key.source(), responses.key.service(), psn));
    if (requester != null && flows.get(requester.key) != requester) {
      // Of a connection that ended.
      requester = null;
    }
    if (requester != null
        && requester != responses
        && requester.peer == null
        && responses.peer == null) {
      join(responses, requester);
    }
    return requester == null ? responses.peer : requester;
  }

  /** The conversations so far, in the order of their start. */
  public List<Conversation> all() {
    List<Conversation> conversations = new ArrayList<>();
    for (Flow flow : all) {
      if (flow.peer == null || flow.firstFrame <= flow.peer.firstFrame) {
        conversations.add(conversation(flow));
      }
    }
    return conversations;
  }

  /** Number of packets that belong to no conversation, because {@link #MOST_FLOWS} began before. */
  public long unfollowed() {
    return unfollowed;
  }

  private Conversation conversation(Flow flow) {
    List<Direction> directions = new ArrayList<>();
    directions.add(direction(flow));
    if (flow.peer != null && flow.peer != flow) {
      directions.add(direction(flow.peer));
    }
    return new Conversation(BthOpcode.serviceName(flow.key.service()), directions);
  }

  private Direction direction(Flow flow) {
    return new Direction(
        flow.key.source(),
        flow.peer == null ? sender(flow.key) : flow.peer.key.destinationQpn(),
        flow.key.destination(),
        flow.key.destinationQpn(),
        flow.packets,
        flow.firstFrame,
        flow.lastFrame,
        flow.requestPackets,
        flow.messages,
        flow.payloadBytes,
        flow.hasRequests() ? flow.firstPsn() : -1,
        flow.hasRequests() ? flow.lastPsn() : -1,
        flow.retransmissions,
        flow.duplicates,
        flow.missing,
        flow.unacknowledged(),
        flow.acks,
        flow.readResponses,
        flow.atomicResponses,
        flow.repeatedResponses,
        new LinkedHashMap<>(flow.naks),
        new LinkedHashMap<>(flow.rnrNaks),
        flow.congestionNotifications,
        flow.badIcrc);
  }
}
