package dev.bluebell.verbs;

/** Adds the requests of a reliable connection. */
public abstract class ReliableQueuePair extends LendingQueuePair implements ReliableOperations {
  private final StateMachine states;

  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to INIT.
   *
   * @param report which the queue pair closes at its end
   */
  ReliableQueuePair(QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings);
    this.report = report;
    states = parts.states();
    start();
  }

  @Override
  void start() {
    super.start();
    report.allow(states);
  }

  /**
   * Starts a copy from memory to memory of this device, which no peer takes part in.
   *
   * @param from address of the first byte, as registered
   * @param fromKey {@link MemoryRegion#lkey()} of the region that holds it
   * @param to address of the first byte there, as registered
   * @param toKey key of a region with {@link Access#LOCAL_WRITE}
   * @param length bytes, from 1
   * @throws IllegalStateException when the queue pair was not created with {@link
   *     RcQueuePairBuilder#memoryCopies}
   */
  public final RequestModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    MemoryRegion reported = report.required(lifetime);
    return send.copyMemory(from, fromKey, to, toKey, length, reported.address(), reported.lkey());
  }

  /**
   * Starts a copy between ranges of regions, as {@link #copyMemory(long, int, long, int, int)}.
   *
   * @throws IndexOutOfBoundsException when a range is not all in its region
   */
  public final RequestModifiers copyMemory(
      MemoryRegion source, long from, MemoryRegion target, long to, int length) {
    return copyMemory(
        CopyReport.address(source, from, length),
        source.lkey(),
        CopyReport.address(target, to, length),
        target.lkey(),
        length);
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

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws IllegalStateException when the queue pair is not connected
   */
  public final synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    connection.modifyMinRnrTimer(code);
  }
}
