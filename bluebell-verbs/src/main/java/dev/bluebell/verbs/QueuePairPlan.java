package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.ServiceType;
import org.jspecify.annotations.Nullable;

/**
 * The description of a queue pair that shall be created.
 *
 * @param domain its protection domain
 * @param service its service
 * @param sendCompletions where its send requests complete
 * @param receiveCompletions where its receive requests complete
 * @param sharedReceives what it receives from; null with a receive queue of its own or none
 * @param shape sizes of its queues
 * @param nopFill whether each request is kept in one piece
 * @param blueFlame whether a short request is copied into the register
 */
record QueuePairPlan(
    ProtectionDomain domain,
    ServiceType service,
    CompletionQueue sendCompletions,
    CompletionQueue receiveCompletions,
    @Nullable SharedReceives sharedReceives,
    QueuePairShape shape,
    boolean nopFill,
    boolean blueFlame) {

  /** Checks that all parts are open and belong to one device. */
  QueuePairPlan {
    domain.lifetime().requireOpen();
    domain.requireUsable(sendCompletions, sendCompletions.device(), sendCompletions.lifetime());
    domain.requireUsable(
        receiveCompletions, receiveCompletions.device(), receiveCompletions.lifetime());
    if (sharedReceives != null) {
      domain.requireUsable(sharedReceives, sharedReceives.device(), sharedReceives.lifetime());
    }
  }

  Device device() {
    return domain.device();
  }
}
