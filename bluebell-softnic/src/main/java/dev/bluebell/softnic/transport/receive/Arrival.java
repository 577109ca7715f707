package dev.bluebell.softnic.transport.receive;

import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * The message that arrives at a responder: what the deliveries of its kinds of requests share.
 *
 * @param message how much of it came, and where it goes on
 * @param held the receive WQE that it took
 * @param refusal why it is refused, if it is
 * @param refusals the words of refusals that several deliveries have
 */
public record Arrival(
    IncomingMessage message, HeldReceive held, Refusal refusal, Refusals refusals) {

  /** Messages to one end. */
  public static Arrival of(End end, ReceiveSource source) {
    IncomingMessage message = new IncomingMessage(end.self().pd());
    HeldReceive held = new HeldReceive(end.chip(), end.self(), end.life(), source);
    Refusal refusal = new Refusal();
    return new Arrival(
        message,
        held,
        refusal,
        new Refusals(refusal, end.self(), end.chip().keys(), message, held));
  }
}
