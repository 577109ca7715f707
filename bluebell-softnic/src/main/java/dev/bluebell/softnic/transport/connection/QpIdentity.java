package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.wqe.ServiceType;

/**
 * What never changes about a queue pair, or about a DC target.
 *
 * @param number QPN or DCTN, 24 bits
 * @param pd protection domain, which the keys in its requests must belong to
 * @param userIndex what its completions name it by
 * @param isTarget true for a DC target
 */
public record QpIdentity(int number, ServiceType service, int pd, int userIndex, boolean isTarget) {

  /** A queue pair. */
  public QpIdentity(int number, ServiceType service, int pd, int userIndex) {
    this(number, service, pd, userIndex, false);
  }

  /** How explanations call it. */
  public String name() {
    return (isTarget ? "DCT 0x%x" : "QP 0x%x").formatted(number);
  }
}
