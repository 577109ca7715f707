package dev.bluebell.verbs.command;

import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.Access;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The settings that a queue pair keeps from one connection to the next.
 *
 * @param service of the connection
 * @param access rights of the peer at first
 * @param address its address
 * @param responderResources maximum number of READs and atomics of the peer to serve at a time,
 *     within the device's limit; at least 1, or 0 for a service that has neither
 * @param initialPsn sequence number of its first packet, or {@link #RANDOM_PSN}
 * @param outOfOrder whether data may be placed out of order; only on a device that supports it
 */
public record ConnectionSettings(
    ServiceType service,
    Set<Access> access,
    LocalAddress address,
    int responderResources,
    int initialPsn,
    boolean outOfOrder) {
  public static final int RANDOM_PSN = -1;

  /** The settings of a connection that places data in order. */
  public ConnectionSettings(
      ServiceType service,
      Set<Access> access,
      LocalAddress address,
      int responderResources,
      int initialPsn) {
    this(service, access, address, responderResources, initialPsn, false);
  }

  /** Whether requests are acknowledged, and so READs, atomics and retries exist. */
  public boolean isReliable() {
    return service != ServiceType.UC;
  }

  /** The rights that the service has, as a mask of optional parameters. */
  public int rights() {
    return isReliable() ? QpOptionalParameter.RIGHTS : QpOptionalParameter.RWE;
  }

  /** The sequence number to start with. Each call draws another one unless it was given. */
  public int nextPsn() {
    return initialPsn == RANDOM_PSN ? randomPsn() : initialPsn;
  }

  /** Draws a sequence number to start with. */
  public static int randomPsn() {
    return ThreadLocalRandom.current().nextInt(1 << 24);
  }
}
