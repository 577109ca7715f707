package dev.bluebell.verbs.pair;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.verbs.command.CrossChannel;
import dev.bluebell.verbs.command.DcStreamCounts;
import dev.bluebell.verbs.command.QueuePairFeatures;
import dev.bluebell.verbs.command.QueuePairShape;
import dev.bluebell.verbs.completion.CompletionQueueImpl;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.ring.PlainRequest;
import dev.bluebell.verbs.ring.RelaxedRequest;
import dev.bluebell.verbs.ring.SendRequest;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.StreamRequest;
import java.util.function.BiFunction;

/**
 * The description of a queue pair to create.
 *
 * @param service its service
 * @param uses its domain and queues
 * @param shape sizes of its queues
 * @param features its optional features
 * @param streams how many streams it has
 * @param channel its role in NIC programs
 */
public record QueuePairPlan(
    ServiceType service,
    QueuePairUses uses,
    QueuePairShape shape,
    QueuePairFeatures features,
    DcStreamCounts streams,
    CrossChannel channel) {

  /** Checks that the entries of the completion queues have room for the data inside them. */
  public QueuePairPlan {
    requireRoom(features.answersInCqe(), uses.sendCompletions());
    requireRoom(features.receivesInCqe(), uses.receiveCompletions());
  }

  private static void requireRoom(int bytes, CompletionQueueImpl completions) {
    if (bytes > Cqe.BYTES / 2 && completions.cqeBytes() < Cqe.BYTES_128) {
      throw new IllegalArgumentException(
          ("entries of %s have room for 32 bytes of data: create it with"
                  + " CompletionQueueOptions.DEFAULT.withCqeBytes(128)")
              .formatted(completions));
    }
  }

  /** A copy in which only fenced requests can be signalled. */
  public QueuePairPlan withRelaxed() {
    return new QueuePairPlan(service, uses, shape, features.withRelaxed(), streams, channel);
  }

  /** A copy with streams. */
  public QueuePairPlan withStreams(DcStreamCounts counts) {
    return new QueuePairPlan(service, uses, shape, features, counts, channel);
  }

  /** A copy with a role in NIC programs. */
  public QueuePairPlan withChannel(CrossChannel part) {
    return new QueuePairPlan(service, uses, shape, features, streams, part);
  }

  /** Returns the factory of the send ring's requests. */
  BiFunction<SendRing, SendRingLayout, SendRequest<?>> requests() {
    if (streams.areThere()) {
      return StreamRequest::new;
    }
    return features.relaxed() ? RelaxedRequest::new : PlainRequest::new;
  }

  public DeviceContext device() {
    return uses.domain().device();
  }
}
