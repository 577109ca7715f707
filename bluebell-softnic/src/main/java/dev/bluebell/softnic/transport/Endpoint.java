package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.diagnosis.CongestionCounter;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.Repeats;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.Gids;
import dev.bluebell.softnic.port.Multicast;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.ResponderHalf;
import dev.bluebell.softnic.transport.dynamic.DcTarget;
import dev.bluebell.softnic.transport.receive.XrcSrq;
import dev.bluebell.softnic.transport.reliable.Peers;
import dev.bluebell.softnic.transport.reliable.RcResponder;
import dev.bluebell.softnic.transport.unreliable.DatagramPeers;
import dev.bluebell.softnic.transport.unreliable.UdResponder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches packets from the fabric to the requester or responder of their queue pair. It trusts
 * no packet. Owned by the thread that runs the engine.
 */
public final class Endpoint implements PacketSink, Peers, DatagramPeers {
  private final ObjectTable<QueuePair> queuePairs;
  private final ObjectTable<DcTarget> targets;
  private final MulticastGroups groups;
  private final Counters counters;
  private final Explanations explanations;
  private final Packet notification = new Packet();
  private int sessions;

  /** Requests from the network that were dropped, modulo 2^32. */
  private final Repeats droppedRequests = new Repeats(Drops.ALL_EXPLAINED);

  // Requests come in trains to one queue pair.
  private int knownQpn = -1;
  private int knownChanges;
  private @Nullable RcResponder known;

  /**
   * @param targets the targets of dynamic connections
   * @param groups the receivers of datagrams to groups
   * @param counters counts arriving packets
   * @param explanations says why packets from the network change nothing
   */
  public Endpoint(
      ObjectTable<QueuePair> queuePairs,
      ObjectTable<DcTarget> targets,
      MulticastGroups groups,
      Counters counters,
      Explanations explanations) {
    this.queuePairs = queuePairs;
    this.targets = targets;
    this.groups = groups;
    this.counters = counters;
    this.explanations = explanations;
  }

  @Override
  public @Nullable RcResponder responder(int qpn) {
    if (qpn != knownQpn || queuePairs.changes() != knownChanges) {
      QueuePair found = queuePairs.find(qpn);
      known =
          found != null && found.responder() instanceof RcResponder responder ? responder : null;
      knownQpn = qpn;
      knownChanges = queuePairs.changes();
    }
    return known;
  }

  @Override
  public @Nullable UdResponder datagrams(int qpn) {
    QueuePair found = queuePairs.find(qpn);
    return found != null && found.responder() instanceof UdResponder responder ? responder : null;
  }

  @Override
  public @Nullable RcResponder session(Packet packet) {
    DcTarget target = targets.find(packet.destinationQpn);
    return target == null ? null : target.responder(packet);
  }

  @Override
  public int newSession() {
    return ++sessions;
  }

  @Override
  public @Nullable Client owner(Packet packet) {
    if (Opcodes.isOf(packet.opcode, ServiceType.DCI) && !BthOpcode.isResponse(packet.opcode)) {
      DcTarget target = targets.find(packet.destinationQpn);
      return target == null ? null : target.client();
    }
    QueuePair destination = queuePairs.find(packet.destinationQpn);
    if (destination == null) {
      return null;
    }
    // A request of XRC uses the memory of another client, but the target's turn may wait, too.
    XrcSrq queue =
        !destination.isFrozen() && destination.responder() instanceof RcResponder reliable
            ? reliable.queueOf(packet)
            : null;
    return queue == null ? destination.owner() : queue.source().completions().client();
  }

  /**
   * Takes a packet. If it meets memory that is gone, only the packet is lost, and the queue pairs
   * whose own queues are gone end: neither end suffers for the memory of the other.
   */
  @Override
  public void arrive(Packet packet) {
    try {
      take(packet);
    } catch (InternalError gone) {
      lose(packet, queuePairs.find(packet.destinationQpn));
    }
  }

  private void lose(Packet packet, @Nullable QueuePair destination) {
    QueuePair source = packet.remote ? null : queuePairs.find(packet.sourceQpn);
    if (destination != null) {
      destination.examine();
    }
    if (source != null) {
      source.examine();
    }
    String why =
        "memory that it reads or writes is gone, most likely because a mapped file was truncated";
    if (destination != null && BthOpcode.isResponse(packet.opcode)) {
      destination.requester().noteDrop(packet.stream, why);
      return;
    }
    if (BthOpcode.isFirst(packet.opcode)) {
      ResponderHalf responder = destination == null ? session(packet) : destination.responder();
      if (responder != null) {
        responder.abandonMessage();
      }
    }
    lost(packet, why);
  }

  private void take(Packet packet) {
    counters.received(packet.packets, packet.payloadBytes);
    if (packet.isMarked()) {
      answerMark(packet);
    }
    if (packet.opcode == BthOpcode.CNP) {
      takeNotification(packet);
      return;
    }
    if (BthOpcode.isResponse(packet.opcode)) {
      takeResponse(packet);
      return;
    }
    if (Opcodes.isOf(packet.opcode, ServiceType.DCI)) {
      takeDynamic(packet);
      return;
    }
    RcResponder reliable = responder(packet.destinationQpn);
    if (reliable != null && reliable.serves(packet.opcode)) {
      settle(packet, reliable.receive(packet));
    } else {
      takeUnreliable(packet);
    }
  }

  private void answerMark(Packet marked) {
    counters.count(CongestionCounter.MARKED_PACKETS);
    QueuePair destination = queuePairs.find(marked.destinationQpn);
    if (destination != null && marked.opcode != BthOpcode.CNP) {
      destination.congestion().answer(marked, notification);
    }
  }

  private void takeNotification(Packet packet) {
    QueuePair destination = queuePairs.find(packet.destinationQpn);
    counters.count(
        destination != null && destination.congestion().take(packet)
            ? CongestionCounter.NOTIFICATIONS_HANDLED
            : CongestionCounter.NOTIFICATIONS_IGNORED);
  }

  private void takeDynamic(Packet request) {
    DcTarget target = targets.find(request.destinationQpn);
    settle(
        request,
        target == null
            ? "no DCT 0x%x exists (dqp_dct)".formatted(request.destinationQpn)
            : target.receive(request));
  }

  private void takeResponse(Packet response) {
    QueuePair destination = queuePairs.find(response.destinationQpn);
    if (destination == null || !Opcodes.isOf(response.opcode, destination.service())) {
      if (response.remote) {
        counters.unwanted();
      }
      return;
    }
    destination.requester().receive(response);
  }

  private void takeUnreliable(Packet request) {
    if (request.destinationQpn == Multicast.QPN && Opcodes.isOf(request.opcode, ServiceType.UD)) {
      takeForGroup(request);
      return;
    }
    QueuePair destination = queuePairs.find(request.destinationQpn);
    if (destination == null || !Opcodes.isOf(request.opcode, destination.service())) {
      lost(request, nobody(request, destination));
    } else {
      settle(request, destination.responder().receive(request));
    }
  }

  /** Reports a request that was not taken; {@code dropped} is empty for one that was. */
  private void settle(Packet request, String dropped) {
    if (!dropped.isEmpty()) {
      lost(request, dropped);
    }
  }

  private void takeForGroup(Packet datagram) {
    List<QueuePair> members = datagram.global ? groups.of(datagram) : List.of();
    if (members.isEmpty()) {
      lost(
          datagram,
          datagram.global
              ? "no queue pair is attached to the group %s (rgid)"
                  .formatted(
                      Gids.text(new Gid(datagram.destinationGidHigh, datagram.destinationGidLow)))
              : "it is for a group (dqp_dct 0xffffff) but has no global route (grh), whose GID"
                  + " names the group");
    }
    for (int i = 0; i < members.size(); i++) {
      QueuePair member = members.get(i);
      if (member.number() == datagram.sourceQpn
          && !datagram.remote
          && member.blocksItsMulticast()) {
        continue;
      }
      if (member.isFrozen()) {
        // Its responder may be in the middle of another datagram, and the other members don't wait.
        lost(
            datagram,
            "QP 0x%x of the group takes no datagrams now, because its client waits for a page of its memory"
                .formatted(member.number()));
      } else {
        give(datagram, member);
      }
    }
  }

  /** Like {@link #arrive}, for one of several receivers. */
  private void give(Packet datagram, QueuePair member) {
    try {
      settle(datagram, member.responder().receive(datagram));
    } catch (InternalError gone) {
      lose(datagram, member);
    }
  }

  private static String nobody(Packet request, @Nullable QueuePair destination) {
    return destination == null
        ? "no QP 0x%x exists (%s): it was destroyed, its process ended, or there never was one"
            .formatted(
                request.destinationQpn,
                Opcodes.isOf(request.opcode, ServiceType.UD) ? "dqp_dct" : "remote_qpn")
        : "QP 0x%x is of service %s (st) and takes no requests from QP 0x%x of service %s"
            .formatted(
                destination.number(),
                destination.service(),
                request.sourceQpn,
                Opcodes.serviceName(request.opcode));
  }

  /**
   * Reports the loss to the sender if it is on this device; a sender on another device learns
   * nothing.
   */
  @Override
  public void lost(Packet packet, String why) {
    if (packet.remote) {
      counters.unwanted();
      explainUnwanted(packet, why);
      return;
    }
    QueuePair source = queuePairs.find(packet.sourceQpn);
    if (source == null || BthOpcode.isResponse(packet.opcode)) {
      return;
    }
    source.requester().noteDrop(packet.stream, why);
  }

  /** Explains a dropped request, unless there were too many of them before. */
  private void explainUnwanted(Packet packet, String why) {
    if (!droppedRequests.add()) {
      return;
    }
    String sentence =
        "%s of service %s at PSN 0x%06x from %s for QP 0x%x was dropped without an answer (rx_unwanted %d): %s"
            .formatted(
                Opcodes.name(packet.opcode),
                Opcodes.serviceName(packet.opcode),
                packet.psn,
                Gids.text(new Gid(packet.sourceGidHigh, packet.sourceGidLow)),
                packet.destinationQpn,
                counters.unwantedPackets(),
                why);
    if (queuePairs.find(packet.destinationQpn) == null) {
      explanations.add(sentence);
    } else {
      explanations.add(Subject.QUEUE_PAIR, packet.destinationQpn, sentence);
    }
  }
}
