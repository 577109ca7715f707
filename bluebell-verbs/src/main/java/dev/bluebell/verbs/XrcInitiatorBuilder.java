package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import java.util.Set;

/** Describes an initiator of extended reliable connections to be created. Not thread-safe. */
public final class XrcInitiatorBuilder extends QueuePairBuilder<XrcInitiatorBuilder> {
  /** Nobody sends requests to an initiator, but its context has room for one. */
  private static final int RESPONDER_RESOURCES = 1;

  private int initialPsn = ConnectionSettings.RANDOM_PSN;

  XrcInitiatorBuilder(ProtectionDomain domain, CompletionQueue completions) {
    super(domain, completions);
  }

  @Override
  XrcInitiatorBuilder self() {
    return this;
  }

  /**
   * Sets the sequence number of the first packet. Default: a random number, and another one after
   * each reset.
   *
   * @param psn 24 bits
   */
  public XrcInitiatorBuilder initialPsn(int psn) {
    initialPsn = Ranges.require("initialPsn", psn, 0, 0xffffff);
    return this;
  }

  /**
   * Creates the queue pair and moves it to the INIT state.
   *
   * @throws IllegalArgumentException when a size is more than the device takes
   * @throws IllegalStateException when the domain or the completion queue is closed
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public XrcInitiator create() {
    ConnectionSettings settings =
        new ConnectionSettings(
            ServiceType.XRC, Set.of(), address(), RESPONDER_RESOURCES, initialPsn);
    return QueuePairParts.assemble(
        sendingPlan(ServiceType.XRC), parts -> new XrcInitiator(parts, settings));
  }
}
