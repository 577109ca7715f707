package dev.bluebell.softnic.transport;

import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.transport.connection.ResponderHalf;

/** The responder half of a queue pair that only sends: it drops all packets. */
public final class NoResponder implements ResponderHalf {
  @Override
  public void reset() {}

  @Override
  public String receive(Packet request) {
    return "";
  }
}
