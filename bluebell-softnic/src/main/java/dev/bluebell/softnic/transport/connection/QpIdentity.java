package dev.bluebell.softnic.transport.connection;

import dev.bluebell.hca.wqe.ServiceType;

/**
 * The constant attributes of a queue pair or a DC target.
 *
 * @param number QPN or DCTN, 24 bits
 * @param pd protection domain, which the keys in its requests must belong to
 * @param userIndex its identifier in completions
 * @param isTarget true for a DC target
 */
public record QpIdentity(int number, ServiceType service, int pd, int userIndex, boolean isTarget) {

  /** A queue pair. */
  public QpIdentity(int number, ServiceType service, int pd, int userIndex) {
    this(number, service, pd, userIndex, false);
  }

  /** Its name in explanations. */
  public String name() {
    return (isTarget ? "DCT 0x%x" : "QP 0x%x").formatted(number);
  }
}
