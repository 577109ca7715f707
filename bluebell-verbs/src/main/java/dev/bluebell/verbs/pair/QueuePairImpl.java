package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.PendingRequests;
import dev.bluebell.verbs.QueuePair;
import dev.bluebell.verbs.QueuePairAttributes;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.ring.SendRing;
import java.lang.foreign.MemorySegment;

/** Implements {@link QueuePair}. */
public abstract class QueuePairImpl extends DeviceObject implements QueuePair {
  private final QueuePairParts parts;

  /** The send queue, which subclasses start their requests on. */
  protected final SendRing send;

  /** Creates the queue pair from its parts. */
  public QueuePairImpl(QueuePairParts parts) {
    super(parts.device(), parts.teardown(), parts.used());
    this.parts = parts;
    send = parts.send();
  }

  /** Moves the queue pair from RESET to INIT. */
  public abstract void start();

  /** The send queue. */
  public final SendRing ring() {
    return send;
  }

  /** Starts a request that does nothing; only the interfaces of ordered queue pairs offer it. */
  public RequestModifiers nop() {
    return send.nop();
  }

  /** Starts a request of given bytes; only the interfaces of ordered queue pairs offer it. */
  public RequestModifiers raw(MemorySegment entry) {
    return send.raw(parts.service(), entry);
  }

  @Override
  public void ringDoorbell() {
    send.ringDoorbell();
  }

  @Override
  public boolean dropUnfinished() {
    return send.dropUnfinished();
  }

  @Override
  public int freeWqebbs() {
    return send.freeWqebbs();
  }

  @Override
  public boolean hasRoom() {
    return send.hasRoom();
  }

  @Override
  public void handOver() {
    send.handOver();
  }

  @Override
  public int sendQueueWqebbs() {
    return send.wqebbs();
  }

  @Override
  public int maxSendWqeBytes() {
    return send.maxWqeBytes();
  }

  @Override
  public int number() {
    return parts.states().number();
  }

  @Override
  public synchronized void toError() {
    lifetime.requireOpen();
    parts.states().toError();
  }

  @Override
  public synchronized PendingRequests reset() {
    lifetime.requireOpen();
    return parts.alone(this::resetAlone);
  }

  private PendingRequests resetAlone() {
    parts.states().toReset();
    PendingRequests pending = parts.pending();
    parts.empty();
    start();
    handOver();
    return pending;
  }

  @Override
  public PendingRequests pending() {
    lifetime.requireOpen();
    return parts.pending();
  }

  @Override
  public synchronized PendingRequests destroy() {
    return lifetime.isClosed() ? parts.takeLeft() : parts.alone(this::destroyAlone);
  }

  private PendingRequests destroyAlone() {
    close();
    return parts.takeLeft();
  }

  @Override
  public QueuePairAttributes query() {
    lifetime.requireOpen();
    return parts.states().query();
  }

  @Override
  public synchronized String diagnose() {
    return QueuePairDiagnosis.of(parts, lifetime);
  }

  @Override
  public String toString() {
    return parts.states().toString();
  }
}
