package dev.bluebell.verifier;

import dev.bluebell.hca.text.Counted;

/**
 * The actor of an event, for messages.
 *
 * @param entry "WQE 3 of queue 0x40 (worker)"
 * @param does its action: "RDMA_WRITE"
 */
record Actor(String entry, String does) {
  @Override
  public String toString() {
    return does.isEmpty() ? entry : "%s, %s,".formatted(entry, Counted.a(does));
  }
}
