package dev.bluebell.verbs.pair;

import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.WaitCondition;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.memory.Registration;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.SendRing;
import java.lang.foreign.MemorySegment;

/** Implements {@link CrossChannelQueuePair}. */
public abstract class CrossChannelQueuePairImpl extends ReliableQueuePairImpl
    implements CrossChannelQueuePair {
  /** Makes the queue pair of its parts and moves it to INIT. */
  public CrossChannelQueuePairImpl(
      QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings, report);
  }

  /** NIC programs are written before the queue pair is connected. */
  @Override
  public final boolean postsBeforeConnect() {
    return true;
  }

  @Override
  public final RequestModifiers waitFor(CompletionQueue completions, int index) {
    return send.waitFor(completions.number(), index);
  }

  @Override
  public final RequestModifiers waitForData(
      long address, int lkey, WaitCondition condition, long value, long mask) {
    return send.waitForValue(WqeForm.WAIT_ON_DATA, condition.code(), lkey, address, value, mask);
  }

  @Override
  public final RequestModifiers waitForTime(WaitCondition condition, long value, long mask) {
    return send.waitForValue(WqeForm.WAIT_ON_TIME, condition.code(), 0, 0, value, mask);
  }

  @Override
  public final RequestModifiers enableSends(ManagedQueuePair target, int index) {
    return send.enableSends(target.number(), index);
  }

  @Override
  public final RequestModifiers enableReceives(CrossChannelQueuePair target, int index) {
    if (!target.hasManagedReceives()) {
      throw new IllegalArgumentException(
          "%s needs no RECV_EN: ringReceiveDoorbell has the same effect, unless it is created with"
                  .formatted(target)
              + " managedReceives()");
    }
    return send.enableReceives(target.number(), index);
  }

  @Override
  public final boolean hasManagedReceives() {
    return parts.plan().channel().managedReceives();
  }

  @Override
  public final void ringReceiveDoorbell() {
    if (hasManagedReceives()) {
      throw new IllegalStateException(
          "%s has managed receives, for which no doorbell is rung: let another queue pair"
                  .formatted(this)
              + " enableReceives");
    }
    super.ringReceiveDoorbell();
  }

  @Override
  public final synchronized MemoryRegion sendQueueMemory(Access... access) {
    return Registration.ofQueue(parts.domain(), parts.sendMemory(), lifetime, access);
  }

  @Override
  public final synchronized MemoryRegion receiveQueueMemory(Access... access) {
    ReceiveRing unused = receives();
    return Registration.ofQueue(parts.domain(), parts.receiveMemory(), lifetime, access);
  }

  @Override
  public final synchronized MemoryRegion receiveRecordMemory(Access... access) {
    ReceiveRing unused = receives();
    if (hasManagedReceives()) {
      throw new IllegalStateException(
          "%s has managed receives, for which the device reads no doorbell record".formatted(this));
    }
    return Registration.ofQueue(parts.domain(), parts.receiveRecord(), lifetime, access);
  }

  @Override
  public final synchronized void installReceives(MemorySegment image, int posted) {
    lifetime.requireOpen();
    receives().install(image, posted);
  }

  @Override
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
  public final SendRing sends() {
    lifetime.requireOpen();
    return send;
  }
}
