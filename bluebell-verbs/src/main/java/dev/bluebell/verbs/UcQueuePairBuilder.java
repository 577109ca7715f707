package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import java.util.EnumSet;
import java.util.Set;

/** Describes an unreliable-connection queue pair to be created. Not thread-safe. */
public final class UcQueuePairBuilder extends ReceivingQueuePairBuilder<UcQueuePairBuilder> {
  private Set<Access> access = EnumSet.of(Access.REMOTE_WRITE);
  private int initialPsn = ConnectionSettings.RANDOM_PSN;

  UcQueuePairBuilder(ProtectionDomain domain, CompletionQueue completions) {
    super(domain, completions);
  }

  @Override
  UcQueuePairBuilder self() {
    return this;
  }

  /**
   * Sets the rights of the peer; {@link Access#REMOTE_WRITE} is the only one that counts. Memory
   * keys limit it further. Default: that right.
   */
  public UcQueuePairBuilder access(Access... rights) {
    access = Access.setOf(rights);
    return this;
  }

  /**
   * Sets the sequence number of the first packet. Default: a random number, and another one after
   * each reset.
   *
   * @param psn 24 bits
   */
  public UcQueuePairBuilder initialPsn(int psn) {
    initialPsn = Ranges.require("initialPsn", psn, 0, 0xffffff);
    return this;
  }

  /**
   * Creates the queue pair and moves it to the INIT state, in which receives can be posted.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or a completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public UcQueuePair create() {
    ConnectionSettings settings =
        new ConnectionSettings(ServiceType.UC, access, address(), 0, initialPsn);
    return QueuePairParts.assemble(plan(ServiceType.UC), parts -> new UcQueuePair(parts, settings));
  }
}
