package dev.bluebell.verbs;

import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.SendRing;
import java.lang.foreign.MemorySegment;

/**
 * A reliable-connection queue pair that takes part in NIC programs: its requests may wait and
 * enable, and others may rewrite them, as its queues can be registered as memory. Two queue pairs
 * of one device may be connected with each other, so that their requests work on this device's own
 * memory.
 */
public abstract sealed class CrossChannelQueuePair extends ReliableQueuePair
    implements CrossChannelOperations permits MasterQueuePair, ManagedQueuePair {
  private final QueuePairParts parts;

  /** Makes the queue pair of its parts and moves it to INIT. */
  CrossChannelQueuePair(QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings, report);
    this.parts = parts;
  }

  /** A program is written before it is connected. */
  @Override
  final boolean postsBeforeConnect() {
    return true;
  }

  @Override
  @CheckReturnValue
  public final RequestModifiers waitFor(CompletionQueue completions, int index) {
    return send.waitFor(completions.number(), index);
  }

  @Override
  @CheckReturnValue
  public final RequestModifiers waitForData(
      long address, int lkey, WaitCondition condition, long value, long mask) {
    return send.waitForValue(WqeForm.WAIT_ON_DATA, condition.code(), lkey, address, value, mask);
  }

  @Override
  @CheckReturnValue
  public final RequestModifiers waitForTime(WaitCondition condition, long value, long mask) {
    return send.waitForValue(WqeForm.WAIT_ON_TIME, condition.code(), 0, 0, value, mask);
  }

  @Override
  @CheckReturnValue
  public final RequestModifiers enableSends(ManagedQueuePair target, int index) {
    return send.enableSends(target.number(), index);
  }

  @Override
  @CheckReturnValue
  public final RequestModifiers enableReceives(CrossChannelQueuePair target, int index) {
    if (!target.hasManagedReceives()) {
      throw new IllegalArgumentException(
          "%s needs no RECV_EN: its ringReceiveDoorbell does it, unless it is created with"
                  .formatted(target)
              + " managedReceives()");
    }
    return send.enableReceives(target.number(), index);
  }

  /** True when RECV_ENs of others let the device see the receives that are posted here. */
  public final boolean hasManagedReceives() {
    return parts.channel().managedReceives();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException also with managed receives
   */
  @Override
  public final void ringReceiveDoorbell() {
    if (hasManagedReceives()) {
      throw new IllegalStateException(
          "%s has managed receives, which no doorbell concerns: let another queue pair"
                  .formatted(this)
              + " enableReceives");
    }
    super.ringReceiveDoorbell();
  }

  /**
   * Registers the send queue as memory, so that requests read and rewrite its requests: WQEBB
   * {@code n} is at offset {@code 64 n}. The device reads a request at any time from when it may
   * execute it, so only one that it may not yet execute, of a managed queue, can be rewritten
   * safely. What is written there is the device's to judge.
   *
   * @param access as {@link ProtectionDomain#register(MemorySegment, Access...)} takes it
   * @return a region that must be closed before the queue pair
   */
  public final synchronized MemoryRegion sendQueueMemory(Access... access) {
    return parts.domain().registerQueue(parts.sendMemory(), lifetime, access);
  }

  /**
   * Registers the receive queue as memory: its requests follow each other in equal strides, each a
   * list of scatter entries of 16 bytes.
   *
   * @param access as {@link #sendQueueMemory} takes it
   * @return a region that must be closed before the queue pair
   * @throws IllegalStateException when the queue pair has no receive queue
   */
  public final synchronized MemoryRegion receiveQueueMemory(Access... access) {
    ReceiveRing unused = receives();
    return parts.domain().registerQueue(parts.receiveMemory(), lifetime, access);
  }

  /**
   * Registers the 4 bytes, big-endian, whose low 16 bits tell the device how many receives were
   * posted since the last reset, so that requests post them again.
   *
   * @param access as {@link #sendQueueMemory} takes it
   * @return a region that must be closed before the queue pair
   * @throws IllegalStateException when the queue pair has no receive queue, or managed receives
   */
  public final synchronized MemoryRegion receiveRecordMemory(Access... access) {
    ReceiveRing unused = receives();
    if (hasManagedReceives()) {
      throw new IllegalStateException(
          "%s has managed receives, for which the device reads no doorbell record".formatted(this));
    }
    return parts.domain().registerQueue(parts.receiveRecord(), lifetime, access);
  }

  /**
   * Writes the whole receive queue, and lets it stay: it takes no other receives until {@link
   * #reset}, and may be used any number of times. Completions have the slot of their request as id.
   *
   * @param image requests of {@link #receiveQueueMemory}'s strides from the first on, as the device
   *     reads them; copied
   * @param posted what the doorbell record says then, 16 bits; for managed receives it says nothing
   * @throws IllegalArgumentException when it is no whole number of requests, or longer than the
   *     queue
   * @throws IllegalStateException when receives were posted since the last reset
   */
  public final synchronized void installReceives(MemorySegment image, int posted) {
    lifetime.requireOpen();
    receives().install(image, posted);
  }

  /**
   * Lets the receives that were posted stay, as {@link #installReceives} does; completions have the
   * ids that they were posted with.
   *
   * @throws IllegalStateException when a request is half built
   */
  public final synchronized void keepReceives() {
    lifetime.requireOpen();
    receives().keep();
  }

  private ReceiveRing receives() {
    lifetime.requireOpen();
    ReceiveRing ring = parts.receive();
    if (ring == null) {
      throw new IllegalStateException(
          "%s has no receive queue of its own: create it with receiveQueue(n)".formatted(this));
    }
    return ring;
  }

  /** The send queue. */
  final SendRing sends() {
    lifetime.requireOpen();
    return send;
  }
}
