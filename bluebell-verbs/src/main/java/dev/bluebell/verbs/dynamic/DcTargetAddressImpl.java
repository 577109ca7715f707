package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.DcEndpoint;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.ring.AddressWords;

/** Implements {@link DcTargetAddress}. */
public record DcTargetAddressImpl(DcEndpoint target, AddressWords words)
    implements DcTargetAddress {
  @Override
  public String toString() {
    return "to " + target;
  }
}
