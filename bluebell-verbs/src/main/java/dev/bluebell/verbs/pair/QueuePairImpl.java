package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.PendingRequests;
import dev.bluebell.verbs.QueuePair;
import dev.bluebell.verbs.QueuePairAttributes;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.command.QueuePairCommands;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Diagnosed;
import dev.bluebell.verbs.ring.SendRing;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;

/** Implements {@link QueuePair}. */
public abstract class QueuePairImpl extends DeviceObject implements QueuePair, Diagnosed {
  final QueuePairParts parts;
  protected final StateMachine states;

  /** The send queue, which subclasses start their requests on. */
  protected final SendRing send;

  /** Creates the queue pair from its parts. */
  public QueuePairImpl(QueuePairParts parts) {
    super(parts.device(), parts.teardown(), parts.plan().uses().lifetimes());
    this.parts = parts;
    states = parts.states();
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
    return send.raw(parts.plan().service(), entry);
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
    return states.number();
  }

  @Override
  public synchronized void toError() {
    lifetime.requireOpen();
    states.toError();
  }

  @Override
  public synchronized PendingRequests reset() {
    lifetime.requireOpen();
    return parts.alone(this::resetAlone);
  }

  private PendingRequests resetAlone() {
    states.toReset();
    PendingRequests pending = parts.pending();
    parts.empty();
    start();
    handOver();
    return pending;
  }

  /** Restarts the send queue; only the interfaces of unreliable services offer it. */
  public synchronized void restartSendQueue() {
    lifetime.requireOpen();
    states.modify(QueuePairCommands.restartSendQueue(number()));
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
    return states.query();
  }

  @Override
  public String diagnose() {
    return diagnose(new HashSet<>());
  }

  @Override
  public synchronized String diagnose(Set<String> told) {
    return QueuePairDiagnosis.of(parts, lifetime, told);
  }

  @Override
  public String toString() {
    return states.toString();
  }
}
