package dev.bluebell.softnic.transport.receive;

import dev.bluebell.softnic.transport.connection.End;
import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * The state of the message arriving at a responder, shared by the deliveries of all kinds of
 * requests.
 *
 * @param message its progress
 * @param held the receive WQE that it took
 * @param refusal the reason if it is refused
 * @param refusals creates the refusals that several deliveries have in common
 */
public record Arrival(
    IncomingMessage message, HeldReceive held, Refusal refusal, Refusals refusals) {

  /** Creates the state for messages to one end. */
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
