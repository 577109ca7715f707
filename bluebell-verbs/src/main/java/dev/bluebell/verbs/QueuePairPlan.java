package dev.bluebell.verbs;

import dev.bluebell.hca.cqe.Cqe;
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
 * @param answersInCqe most bytes of a READ or an atomic that may come inside a completion: 0, 32 or
 *     64
 * @param receivesInCqe the same of a message
 * @param signatures whether its requests are signed
 * @param streams how many streams it has
 * @param channel what it does in programs of the device
 */
record QueuePairPlan(
    ProtectionDomain domain,
    ServiceType service,
    CompletionQueue sendCompletions,
    CompletionQueue receiveCompletions,
    @Nullable SharedReceives sharedReceives,
    QueuePairShape shape,
    boolean nopFill,
    boolean blueFlame,
    int answersInCqe,
    int receivesInCqe,
    boolean signatures,
    DcStreamCounts streams,
    CrossChannel channel) {

  /** Checks that all parts are open and belong to one device. */
  QueuePairPlan {
    domain.lifetime().requireOpen();
    domain.requireUsable(sendCompletions, sendCompletions.device(), sendCompletions.lifetime());
    domain.requireUsable(
        receiveCompletions, receiveCompletions.device(), receiveCompletions.lifetime());
    if (sharedReceives != null) {
      domain.requireUsable(sharedReceives, sharedReceives.device(), sharedReceives.lifetime());
    }
    requireRoom(answersInCqe, sendCompletions);
    requireRoom(receivesInCqe, receiveCompletions);
  }

  private static void requireRoom(int bytes, CompletionQueue completions) {
    if (bytes > Cqe.BYTES / 2 && completions.cqeBytes() < Cqe.BYTES_128) {
      throw new IllegalArgumentException(
          ("entries of %s have room for 32 bytes of data: create it with"
                  + " CompletionQueueOptions.DEFAULT.withCqeBytes(128)")
              .formatted(completions));
    }
  }

  /** The same with streams. */
  QueuePairPlan withStreams(DcStreamCounts counts) {
    return new QueuePairPlan(
        domain,
        service,
        sendCompletions,
        receiveCompletions,
        sharedReceives,
        shape,
        nopFill,
        blueFlame,
        answersInCqe,
        receivesInCqe,
        signatures,
        counts,
        channel);
  }

  /** The same with a part in programs of the device. */
  QueuePairPlan withChannel(CrossChannel part) {
    return new QueuePairPlan(
        domain,
        service,
        sendCompletions,
        receiveCompletions,
        sharedReceives,
        shape,
        nopFill,
        blueFlame,
        answersInCqe,
        receivesInCqe,
        signatures,
        streams,
        part);
  }

  Device device() {
    return domain.device();
  }
}
