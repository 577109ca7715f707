package dev.bluebell.softnic.transport.unreliable;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.QueueCounter;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.transport.connection.Connection;
import dev.bluebell.softnic.transport.connection.Drops;
import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.connection.ResponderHalf;
import dev.bluebell.softnic.transport.receive.Arrival;
import dev.bluebell.softnic.transport.receive.HeldReceive;
import dev.bluebell.softnic.transport.receive.IncomingMessage;
import dev.bluebell.softnic.transport.receive.Refusal;
import dev.bluebell.softnic.transport.receive.Refusals;
import dev.bluebell.softnic.transport.receive.SendDelivery;

/** The parts of a responder that answers nothing, and its two reactions to a refused message. */
abstract class UnreliableResponder implements ResponderHalf {
  final Lifecycle life;
  final Connection connection;
  final ReceiveSource source;
  final Drops drops;
  final Counters counters;
  final FlightRecorder recorder;
  final int number;
  final Arrival arrival;
  final Refusal refusal;
  final Refusals refusals;
  final IncomingMessage message;
  final HeldReceive held;
  final SendDelivery sends;

  UnreliableResponder(End end, ReceiveSource source, Drops drops) {
    life = end.life();
    connection = end.connection();
    this.source = source;
    this.drops = drops;
    counters = end.chip().counters();
    recorder = end.chip().recorder();
    number = end.self().number();
    arrival = Arrival.of(end, source);
    refusal = arrival.refusal();
    refusals = arrival.refusals();
    message = arrival.message();
    held = arrival.held();
    sends = new SendDelivery(end.chip(), end.self(), arrival);
  }

  @Override
  public void reset() {
    message.abandon();
    held.reset();
  }

  /** Drops a refused message, ends its receive WQE with an error, and fails the queue pair. */
  final void fail(Packet request, String sentence) {
    drops.add(request.psn);
    int syndrome = refusal.syndrome();
    held.fail(syndrome, VendorSyndrome.ofReceive(syndrome, refusal.code()), sentence);
    life.fail(sentence);
  }

  /** Drops a refused message, counts it if no receive was posted, and explains it. */
  final void drop(Packet request) {
    boolean starved = refusal.code() == Aeth.RNR_NAK;
    if (starved) {
      counters.count(QueueCounter.OUT_OF_BUFFER);
    }
    if (drops.add(request.psn)) {
      drops.explain(starved ? held.starvation(source) : refusal.explanation());
    }
  }

  @Override
  public void abandonMessage() {
    message.abandon();
  }

  @Override
  public void flushHeld(String cause) {
    held.flush(cause);
  }
}
