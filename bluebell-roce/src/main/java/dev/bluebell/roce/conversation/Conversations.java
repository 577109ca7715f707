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
  private final Map<FlowKey, Flow> flows = new LinkedHashMap<>();
  private final Map<Integer, Place> requested = new HashMap<>();
  private final Map<Place, Place> connected = new HashMap<>();

  /** The last flow with a request, by the fields that its response shows. */
  private final Map<Asked, Flow> asked = new HashMap<>();

  /** A queue pair's address and number. */
  private record Place(String address, int qpn) {}

  /** A flow; the sending queue pair is −1 except for datagrams. */
  private record FlowKey(
      String source, String destination, int service, int destinationQpn, int sourceQpn) {}

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
      asked.put(new Asked(flow.source, flow.destination, flow.service, packet.psn()), flow);
    }
    return notes;
  }

  private Flow flow(PacketView packet) {
    int deth = packet.at(Deth.HEADER);
    // A notification may concern a queue pair of any service.
    int service =
        packet.opcode() == BthOpcode.CNP ? BthOpcode.RC : BthOpcode.service(packet.opcode());
    FlowKey key =
        new FlowKey(
            Summary.address(packet, true),
            Summary.address(packet, false),
            service,
            packet.destinationQpn(),
            deth < 0 ? -1 : Deth.SRC_QP.getInt(packet.buffer(), deth));
    Flow known = flows.get(key);
    if (known != null) {
      return known;
    }
    Flow flow = new Flow(key.source, key.sourceQpn, key.destination, service, key.destinationQpn);
    flows.put(key, flow);
    FlowKey opposite;
    if (key.sourceQpn >= 0) {
      opposite =
          new FlowKey(key.destination, key.source, service, key.sourceQpn, key.destinationQpn);
    } else {
      Place sender = connected.get(new Place(key.destination, key.destinationQpn));
      opposite =
          sender == null ? key : new FlowKey(key.destination, key.source, service, sender.qpn, -1);
    }
    Flow other = flows.get(opposite);
    if (other != null && other != flow) {
      join(flow, other);
    }
    return flow;
  }

  private static void join(Flow flow, Flow other) {
    flow.peer = other;
    other.peer = flow;
  }

  private void connect(PacketView packet, CmMessage message) {
    String address = Summary.address(packet, true);
    if (message.name().equals(CmMessage.REQ)) {
      requested.put(message.localId(), new Place(address, message.qpn()));
    } else if (message.name().equals(CmMessage.REP)) {
      Place active = requested.get(message.remoteId());
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
        asked.get(new Asked(responses.destination, responses.source, responses.service, psn));
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
    return new Conversation(BthOpcode.serviceName(flow.service), directions);
  }

  private Direction direction(Flow flow) {
    return new Direction(
        flow.source,
        sourceQpn(flow),
        flow.destination,
        flow.destinationQpn,
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

  private int sourceQpn(Flow flow) {
    if (flow.peer != null) {
      return flow.peer.destinationQpn;
    }
    if (flow.sourceQpn >= 0) {
      return flow.sourceQpn;
    }
    Place sender = connected.get(new Place(flow.destination, flow.destinationQpn));
    return sender == null ? -1 : sender.qpn;
  }
}
