package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.ReceiveLanding;
import dev.bluebell.verbs.ReceivingQueuePair;
import dev.bluebell.verbs.receive.SharedReceives;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.SendSignatures;
import org.jspecify.annotations.Nullable;

/** Implements {@link ReceivingQueuePair}. */
public abstract class ReceivingQueuePairImpl extends QueuePairImpl implements ReceivingQueuePair {
  private final @Nullable ReceiveRing receive;

  /** Signs send requests; null when they are not signed. */
  private final @Nullable SendSignatures signatures;

  /** Creates the queue pair from its parts. */
  public ReceivingQueuePairImpl(QueuePairParts parts) {
    super(parts);
    receive = parts.receive();
    signatures = parts.signatures();
  }

  @Override
  public void ringDoorbell() {
    if (signatures != null) {
      signatures.sign();
    }
    super.ringDoorbell();
  }

  @Override
  public ReceiveLanding receive() {
    ReceiveRing ring = receiveRing();
    return signatures == null ? ring.receive() : ring.receiveSigned();
  }

  @Override
  public void repostReceives(int count) {
    receiveRing().repost(count);
  }

  @Override
  public void ringReceiveDoorbell() {
    receiveRing().ringDoorbell();
  }

  private ReceiveRing receiveRing() {
    ReceiveRing ring = receive;
    if (ring == null) {
      SharedReceives shared = parts.plan().uses().sharedReceives();
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

  @Override
  public void handOver() {
    if (receive != null && receive.giveBack()) {
      // The send queue may belong to another thread.
      send.giveBack();
    } else {
      super.handOver();
    }
  }

  /** Lets the next threads that post own the queues of the queue pair, which is now connected. */
  final void admit() {
    send.admit();
    if (receive != null) {
      receive.admit();
    }
  }

  @Override
  public int freeReceives() {
    return receive == null ? 0 : receive.freeRequests();
  }

  @Override
  public int receiveQueueRequests() {
    return receive == null ? 0 : receive.requests();
  }
}
