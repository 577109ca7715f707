package dev.bluebell.verbs;

/**
 * Type of an entry of the GID table: the network header of its packets. Both ends need the same
 * type.
 */
public enum GidType {
  /** InfiniBand: a global route header, where a packet needs one. */
  INFINIBAND("IB"),
  /** RoCE v1: a global route header on Ethernet, within one segment. */
  ROCE_V1("RoCE v1"),
  /** RoCE v2: UDP over IPv4 or IPv6. */
  ROCE_V2("RoCE v2");

  private final String text;

  GidType(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
