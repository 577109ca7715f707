package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.ring.AddressWords;

/** Implements {@link AddressHandle}. */
public record AddressHandleImpl(UdEndpoint destination, AddressWords words)
    implements AddressHandle {
  @Override
  public String toString() {
    return "to " + destination;
  }
}
