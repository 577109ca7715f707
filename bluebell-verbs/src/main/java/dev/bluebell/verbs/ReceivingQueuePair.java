package dev.bluebell.verbs;

import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.SendSignatures;
import org.jspecify.annotations.Nullable;

/** Adds a receive queue, for the services that receive into a queue of the queue pair. */
public abstract class ReceivingQueuePair extends OrderedQueuePair {
  private final @Nullable ReceiveRing receive;
  private final @Nullable SharedReceives shared;

  /** Signs what is sent; null when requests are not signed. */
  private final @Nullable SendSignatures signatures;

  /** Makes the queue pair of its parts. */
  ReceivingQueuePair(QueuePairParts parts) {
    super(parts);
    receive = parts.receive();
    shared = parts.sharedReceives();
    signatures = parts.signatures();
  }

  @Override
  public void ringDoorbell() {
    if (signatures != null) {
      signatures.sign();
    }
    super.ringDoorbell();
  }

  /**
   * Starts a receive request: memory for one message of the peer.
   *
   * @throws QueueFullException when the queue is full
   * @throws NotOwnerException when another thread posts receives
   * @throws IllegalStateException when another request is half built, or the queue pair has no
   *     receive queue
   */
  @CheckReturnValue
  public ReceiveLanding receive() {
    ReceiveRing ring = receiveRing();
    return signatures == null ? ring.receive() : ring.receiveSigned();
  }

  /**
   * Makes the device see all receive requests that were posted.
   *
   * @throws ClosedException when the queue pair is closed
   * @throws NotOwnerException when another thread posts receives
   * @throws IllegalStateException when a request is half built
   */
  public void ringReceiveDoorbell() {
    receiveRing().ringDoorbell();
  }

  private ReceiveRing receiveRing() {
    ReceiveRing ring = receive;
    if (ring == null) {
      throw new IllegalStateException(
          shared == null
              ? lifetime.name() + " has no receive queue: create it with receiveQueue(n)"
              : "%s receives from %s: post the request there".formatted(lifetime.name(), shared));
    }
    return ring;
  }

  @Override
  public boolean dropUnfinished() {
    boolean dropped = super.dropUnfinished();
    if (receive != null) {
      dropped |= receive.dropUnfinished();
    }
    return dropped;
  }

  /** Lets another thread post, as {@link QueuePair#handOver}, sends and receives. */
  @Override
  public void handOver() {
    super.handOver();
    if (receive != null) {
      receive.handOver();
    }
  }

  /** Who posted receives before the queue pair was ready need not be who does later. */
  final void endSetUp() {
    if (receive != null) {
      receive.giveBack();
    }
  }

  /** Receive requests that can be posted now; 0 without a receive queue. */
  public int freeReceives() {
    return receive == null ? 0 : receive.freeRequests();
  }

  /** Size of the receive queue in requests; 0 without one. */
  public int receiveQueueRequests() {
    return receive == null ? 0 : receive.requests();
  }
}
