package dev.bluebell.softnic.transport;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.timing.Pace;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.connection.RequesterHalf;
import dev.bluebell.softnic.transport.connection.ResponderHalf;
import dev.bluebell.softnic.transport.dynamic.DcStreams;
import dev.bluebell.softnic.transport.dynamic.Dialer;
import dev.bluebell.softnic.transport.local.CutThrough;
import dev.bluebell.softnic.transport.operation.CqReports;
import dev.bluebell.softnic.transport.operation.LocalOperations;
import dev.bluebell.softnic.transport.operation.Rendezvous;
import dev.bluebell.softnic.transport.operation.RequestFaults;
import dev.bluebell.softnic.transport.operation.RequestReports;
import dev.bluebell.softnic.transport.operation.SendSide;
import dev.bluebell.softnic.transport.operation.WqeRing;
import dev.bluebell.softnic.transport.receive.XrcDirectory;
import dev.bluebell.softnic.transport.reliable.OnePeer;
import dev.bluebell.softnic.transport.reliable.PeerSelection;
import dev.bluebell.softnic.transport.reliable.RcRequester;
import dev.bluebell.softnic.transport.reliable.RcResponder;
import dev.bluebell.softnic.transport.unreliable.UcResponder;
import dev.bluebell.softnic.transport.unreliable.UcSender;
import dev.bluebell.softnic.transport.unreliable.UdCutThrough;
import dev.bluebell.softnic.transport.unreliable.UdResponder;
import dev.bluebell.softnic.transport.unreliable.UdSender;
import dev.bluebell.softnic.transport.unreliable.UnreliableRequester;
import dev.bluebell.softnic.transport.unreliable.UnreliableSender;
import org.jspecify.annotations.Nullable;

/** Creates the requester and the responder of a queue pair, by its service. */
final class Halves {
  private final End end;
  private final Chip chip;
  private final QpIdentity self;
  private final Connection connection;
  private final Network network;
  private final Queues queues;
  private final View qpc;
  private final Work work;
  private final Drops drops;

  // Set when the device does the rendezvous: the requests in the send queue are then its own.
  private final @Nullable Rendezvous rendezvous;

  private final SendSide sends;

  /**
   * @param qpc the context, not copied
   * @param work gets turns for the queue pair
   * @param drops counts messages that an unreliable service drops
   */
  Halves(End end, Network network, Queues queues, View qpc, Work work, Drops drops) {
    this.end = end;
    chip = end.chip();
    self = end.self();
    connection = end.connection();
    this.network = network;
    this.queues = queues;
    this.qpc = qpc;
    this.work = work;
    this.drops = drops;
    boolean ofDevice = qpc.getInt(Qpc.OFFLOAD_TYPE) == Qpc.OFFLOAD_TYPE_RNDV;
    ReceiveSource receives = queues.receives();
    rendezvous =
        receives.tags() == null || !ofDevice
            ? null
            : new Rendezvous(
                self,
                end.life(),
                connection,
                queues.sends(),
                receives.queue().pd(),
                receives.tags());
    RequestReports reports =
        rendezvous == null ? new CqReports(self, end.life(), queues.sendCompletions()) : rendezvous;
    sends =
        new SendSide(
            queues.sends(),
            new WqeRing(queues.sends()),
            queues.sendCompletions(),
            reports,
            rendezvous == null ? RequestFaults.of(end) : null);
  }

  RequesterHalf requester() {
    return switch (self.service()) {
      case UC -> unreliable(new Fault());
      case UD -> datagrams(new Fault());
      case DCI ->
          qpc.isSet(Qpc.LOG_NUM_DCI_STREAM_CHANNELS)
              ? new DcStreams(end, network.fabric(), network.endpoint(), work, qpc, sends)
              : reliable(new Dialer(connection, network.endpoint(), 0));
      default -> reliable(new OnePeer(connection, network.endpoint()));
    };
  }

  private RequesterHalf reliable(PeerSelection peers) {
    return new RcRequester(
        end,
        peers,
        sends,
        new LocalOperations(end, queues.sendCompletions(), queues.receives().tags()),
        cutsThrough()
            ? new CutThrough(chip, self, sends.queue(), sends.completions(), peers)
            : null,
        rendezvous == null ? pace() : null);
  }

  // Not for XRC, whose messages name their queue; for the device's own requests, which have no CQE;
  // or with an adversary or injected faults, which draw per packet.
  private boolean cutsThrough() {
    return self.service() != ServiceType.XRC
        && rendezvous == null
        && chip.adversary() == null
        && sends.injected() == null;
  }

  private RequesterHalf unreliable(Fault fault) {
    return requester(new UcSender(end, fault, drops), fault, null);
  }

  private RequesterHalf datagrams(Fault fault) {
    UdSender sender = new UdSender(end, fault, drops);
    return requester(
        sender,
        fault,
        cutsThrough() ? new UdCutThrough(end, sends, sender, network.endpoint()) : null);
  }

  private RequesterHalf requester(
      UnreliableSender sender, Fault fault, @Nullable UdCutThrough cutThrough) {
    return new UnreliableRequester(end, sender, fault, sends, cutThrough, pace());
  }

  private @Nullable Pace pace() {
    return chip.hosts() == null ? null : chip.hosts().of(self.pd()).pace();
  }

  ResponderHalf responder() {
    return switch (self.service()) {
      case UC -> new UcResponder(end, queues.receives(), drops);
      case UD -> new UdResponder(end, queues.receives(), drops);
      case DCI -> new NoResponder();
      case XRC ->
          new RcResponder(
              end,
              queues.receives(),
              null,
              new XrcDirectory(network.xrcSrqs(), self.number(), qpc.getInt(Qpc.XRCD)));
      default -> new RcResponder(end, queues.receives(), rendezvous, null);
    };
  }
}
