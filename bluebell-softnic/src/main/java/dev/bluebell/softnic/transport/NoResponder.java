package dev.bluebell.softnic.transport;

import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.transport.connection.ResponderHalf;

/** The responder half of a queue pair that only sends: it drops all packets. */
public final class NoResponder implements ResponderHalf {
  @Override
  public void reset() {}

  @Override
  public void start(View qpc) {}

  @Override
  public void configure(View qpc) {}

  @Override
  public String receive(Packet request) {
    return "";
  }

  @Override
  public void flushHeld(String cause) {}
}
