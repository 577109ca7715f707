package dev.bluebell.verbs;

import dev.bluebell.verbs.ring.AddressWords;

/**
 * A destination of datagrams, made ready so that a request only copies it. It holds no resource and
 * may be used by all queue pairs of its port, for any number of requests. Immutable; {@link
 * UdQueuePair#addressHandle} makes it.
 */
public final class AddressHandle {
  private final UdEndpoint destination;
  private final AddressWords words;

  AddressHandle(UdEndpoint destination, AddressWords words) {
    this.destination = destination;
    this.words = words;
  }

  /** Where datagrams go. */
  public UdEndpoint destination() {
    return destination;
  }

  AddressWords words() {
    return words;
  }

  @Override
  public String toString() {
    return "to " + destination;
  }
}
