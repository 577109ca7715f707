package dev.bluebell.roce.conversation;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Deth;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows the conversations of queue pairs through a capture, packet by packet.
 *
 * <p>Only datagrams name the queue pair that sent them. The flows of both directions are paired by
 * connection manager messages, or else by their PSNs: a response has the PSN of its request. Owned
 * by one thread.
 */
public final class Conversations {
  private final Map<Flow.Key, Flow> flows = new LinkedHashMap<>();

  /** The queue pairs for which connections were requested. */
  private final Map<CmId, Place> requested = new HashMap<>();

  private final Map<Place, Place> connected = new HashMap<>();

  /** The last flow with a request, by the fields that its response shows. */
  private final Map<Asked, Flow> asked = new HashMap<>();

  /** A queue pair's address and number. */
  private record Place(String address, int qpn) {}

  /** A communication id, which only its own host chooses. */
  private record CmId(String address, int id) {}

  /** The fields of a request that its response shows. */
  private record Asked(String source, String destination, int service, int psn) {}

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
    Flow flow = flow(packet);
    flow.packets++;
    flow.firstFrame = flow.packets == 1 ? frame : flow.firstFrame;
    flow.lastFrame = frame;
    if (packet.hasIcrc() && !packet.isIcrcGood()) {
      flow.badIcrc++;
      notes.add(
          "ICRC wrong: it is %08x and must be %08x; receivers drop the packet without an answer"
              .formatted(packet.icrc(), packet.computeIcrc()));
      return notes;
    }
    if (Summary.isCongested(packet)) {
      notes.add("congestion experienced: a switch marked it");
    }
    CmMessage.of(packet).ifPresent(message -> connect(packet, message));
    if (packet.opcode() == BthOpcode.CNP) {
      flow.congestionNotifications++;
      notes.add(
          "congestion notification: packets from QP 0x%x met congestion"
              .formatted(packet.destinationQpn()));
    } else if (BthOpcode.isResponse(packet.opcode())) {
      int aeth = packet.at(Aeth.HEADER);
      flow.response(
          packet,
          aeth < 0 ? -1 : Aeth.SYNDROME.getInt(packet.buffer(), aeth),
          requester(flow, packet.psn()),
          notes);
    } else {
      flow.request(packet, frame, nanoseconds, notes);
      asked.put(
          new Asked(flow.key.source(), flow.key.destination(), flow.key.service(), packet.psn()),
          flow);
    }
    return notes;
  }

  private Flow flow(PacketView packet) {
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
    if (known != null) {
      return known;
    }
    Flow flow = new Flow(key);
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

  private void connect(PacketView packet, CmMessage message) {
    String address = Summary.address(packet, true);
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
    for (Flow flow : flows.values()) {
      if (flow.peer == null || flow.firstFrame <= flow.peer.firstFrame) {
        conversations.add(conversation(flow));
      }
    }
    return conversations;
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
