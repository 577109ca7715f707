package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.ring.AddressWords;

/** Implements {@link DcTargetAddress}. */
public final class DcTargetAddressImpl implements DcTargetAddress {
  private final DcEndpoint target;
  private final AddressWords words;

  public DcTargetAddressImpl(DcEndpoint target, AddressWords words) {
    this.target = target;
    this.words = words;
  }

  @Override
  public DcEndpoint target() {
    return target;
  }

  public AddressWords words() {
    return words;
  }

  @Override
  public String toString() {
    return "to " + target;
  }
}
