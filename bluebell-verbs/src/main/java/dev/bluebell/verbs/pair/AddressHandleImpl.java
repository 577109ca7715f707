package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.UdEndpoint;
import dev.bluebell.verbs.ring.AddressWords;

/** Implements {@link AddressHandle}. */
public final class AddressHandleImpl implements AddressHandle {
  private final UdEndpoint destination;
  private final AddressWords words;

  public AddressHandleImpl(UdEndpoint destination, AddressWords words) {
    this.destination = destination;
    this.words = words;
  }

  @Override
  public UdEndpoint destination() {
    return destination;
  }

  public AddressWords words() {
    return words;
  }

  @Override
  public String toString() {
    return "to " + destination;
  }
}
