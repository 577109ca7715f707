package dev.bluebell.verbs;

import dev.bluebell.verbs.ring.AddressWords;

/**
 * A DC target as a destination, made ready so that a request only copies it. It holds no resource
 * and may be used by all initiators of its port, for any number of requests. Immutable; {@link
 * DcInitiator#targetAddress} makes it.
 */
public final class DcTargetAddress {
  private final DcEndpoint target;
  private final AddressWords words;

  DcTargetAddress(DcEndpoint target, AddressWords words) {
    this.target = target;
    this.words = words;
  }

  /** Where requests go. */
  public DcEndpoint target() {
    return target;
  }

  AddressWords words() {
    return words;
  }

  @Override
  public String toString() {
    return "to " + target;
  }
}
