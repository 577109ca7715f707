package dev.bluebell.verbs.pair;

import dev.bluebell.hca.command.QpTimers;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.ReliableQueuePair;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestLanding;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.memory.MemoryRegionImpl;
import java.time.Duration;

/** Implements {@link ReliableQueuePair}. */
public abstract class ReliableQueuePairImpl extends LendingQueuePairImpl
    implements ReliableQueuePair {
  private final StateMachine states;
  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to INIT.
   *
   * @param report which the queue pair closes at its end
   */
  public ReliableQueuePairImpl(
      QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings);
    this.report = report;
    states = parts.states();
    start();
  }

  @Override
  public void start() {
    super.start();
    report.allow(states);
  }

  @Override
  public final RequestModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    MemoryRegionImpl reported = report.required(lifetime);
    return send.copyMemory(from, fromKey, to, toKey, length, reported.address(), reported.lkey());
  }

  @Override
  public synchronized void close() {
    super.close();
    report.close();
  }

  @Override
  public final RequestData send() {
    return send.send();
  }

  @Override
  public final RequestData sendImmediate(int immediate) {
    return send.sendImmediate(immediate);
  }

  @Override
  public final RequestData sendInvalidate(int rkey) {
    return send.sendInvalidate(rkey);
  }

  @Override
  public final RequestData write(long remoteAddress, int rkey) {
    return send.write(remoteAddress, rkey);
  }

  @Override
  public final RequestData writeImmediate(long remoteAddress, int rkey, int immediate) {
    return send.writeImmediate(remoteAddress, rkey, immediate);
  }

  @Override
  public final RequestLanding read(long remoteAddress, int rkey) {
    return send.read(remoteAddress, rkey);
  }

  @Override
  public final AtomicScatter compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return send.compareAndSwap(remoteAddress, rkey, compare, swap);
  }

  @Override
  public final AtomicScatter fetchAndAdd(long remoteAddress, int rkey, long add) {
    return send.fetchAndAdd(remoteAddress, rkey, add);
  }

  @Override
  public final AtomicScatter maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask) {
    return send.maskedCompareAndSwap4(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public final AtomicScatter maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask) {
    return send.maskedCompareAndSwap8(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public final AtomicScatter maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask) {
    return send.maskedCompareAndSwap16(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public final AtomicScatter maskedFetchAndAdd4(
      long remoteAddress, int rkey, int add, int fieldBoundary) {
    return send.maskedFetchAndAdd4(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  public final AtomicScatter maskedFetchAndAdd8(
      long remoteAddress, int rkey, long add, long fieldBoundary) {
    return send.maskedFetchAndAdd8(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  public final AtomicScatter maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary) {
    return send.maskedFetchAndAdd16(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  public final synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    connection.modifyMinRnrTimer(code);
  }

  @Override
  public final void modifyMinRnrTimer(Duration time) {
    modifyMinRnrTimer(QpTimers.rnrCode(time.toNanos()));
  }
}
