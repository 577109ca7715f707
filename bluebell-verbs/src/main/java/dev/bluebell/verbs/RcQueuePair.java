package dev.bluebell.verbs;

/**
 * A reliable-connection queue pair.
 *
 * <p>A request is built in stages, from its opcode to {@link RequestEnd#signaled} or {@link
 * RequestEnd#unsignaled}, and the device sees it after {@link #ringDoorbell}. A stage that throws
 * drops its request and leaves the queue as it was.
 *
 * <p>Posting and ringing belong to one thread at a time. Connecting, querying, modifying and
 * closing are thread-safe; {@link #reset} is part of the data path.
 */
public final class RcQueuePair extends LendingQueuePair implements ReliableOperations {
  private final StateMachine states;

  private final CopyReport report;

  /**
   * Makes the queue pair of its parts and moves it to INIT.
   *
   * @param report which the queue pair closes at its end
   */
  RcQueuePair(QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
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
  public RequestModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    MemoryRegion reported = report.required(lifetime);
    return send.copyMemory(from, fromKey, to, toKey, length, reported.address(), reported.lkey());
  }

  /**
   * Starts a copy between ranges of regions, as {@link #copyMemory(long, int, long, int, int)}.
   *
   * @throws IndexOutOfBoundsException when a range is not all in its region
   */
  public RequestModifiers copyMemory(
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
  public RequestData send() {
    return send.send();
  }

  @Override
  public RequestData sendImmediate(int immediate) {
    return send.sendImmediate(immediate);
  }

  @Override
  public RequestData sendInvalidate(int rkey) {
    return send.sendInvalidate(rkey);
  }

  @Override
  public RequestData write(long remoteAddress, int rkey) {
    return send.write(remoteAddress, rkey);
  }

  @Override
  public RequestData writeImmediate(long remoteAddress, int rkey, int immediate) {
    return send.writeImmediate(remoteAddress, rkey, immediate);
  }

  @Override
  public RequestLanding read(long remoteAddress, int rkey) {
    return send.read(remoteAddress, rkey);
  }

  @Override
  public AtomicScatter compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return send.compareAndSwap(remoteAddress, rkey, compare, swap);
  }

  @Override
  public AtomicScatter fetchAndAdd(long remoteAddress, int rkey, long add) {
    return send.fetchAndAdd(remoteAddress, rkey, add);
  }

  @Override
  public AtomicScatter maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask) {
    return send.maskedCompareAndSwap4(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public AtomicScatter maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask) {
    return send.maskedCompareAndSwap8(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public AtomicScatter maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask) {
    return send.maskedCompareAndSwap16(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public AtomicScatter maskedFetchAndAdd4(
      long remoteAddress, int rkey, int add, int fieldBoundary) {
    return send.maskedFetchAndAdd4(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  public AtomicScatter maskedFetchAndAdd8(
      long remoteAddress, int rkey, long add, long fieldBoundary) {
    return send.maskedFetchAndAdd8(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  public AtomicScatter maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary) {
    return send.maskedFetchAndAdd16(remoteAddress, rkey, add, fieldBoundary);
  }

  /**
   * Changes how long the peer waits when no receive is posted here.
   *
   * @param code as {@link ConnectOptions#minRnrTimer}
   * @throws IllegalStateException when the queue pair is not connected
   */
  public synchronized void modifyMinRnrTimer(int code) {
    lifetime.requireOpen();
    connection.modifyMinRnrTimer(code);
  }
}
