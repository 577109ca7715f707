package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.RelaxedAtomic;
import dev.bluebell.verbs.RelaxedData;
import dev.bluebell.verbs.RelaxedLanding;
import dev.bluebell.verbs.RelaxedRcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.command.ConnectionSettings;

/** Implements {@link RelaxedRcQueuePair}. */
public final class RelaxedRcQueuePairImpl extends ConnectedReceivingQueuePairImpl
    implements RelaxedRcQueuePair {
  /** Makes the queue pair of its parts and moves it to INIT. */
  public RelaxedRcQueuePairImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
    start();
  }

  @Override
  public RequestModifiers nop() {
    return super.nop().fence();
  }

  @Override
  public RelaxedData send() {
    return (RelaxedData) send.send();
  }

  @Override
  public RelaxedData sendImmediate(int immediate) {
    return (RelaxedData) send.sendImmediate(immediate);
  }

  @Override
  public RelaxedData sendInvalidate(int rkey) {
    return (RelaxedData) send.sendInvalidate(rkey);
  }

  @Override
  public RelaxedData write(long remoteAddress, int rkey) {
    return (RelaxedData) send.write(remoteAddress, rkey);
  }

  @Override
  public RelaxedData write(RemoteMemory remote) {
    return write(remote.address(), remote.rkey());
  }

  @Override
  public RelaxedData writeImmediate(long remoteAddress, int rkey, int immediate) {
    return (RelaxedData) send.writeImmediate(remoteAddress, rkey, immediate);
  }

  @Override
  public RelaxedData writeImmediate(RemoteMemory remote, int immediate) {
    return writeImmediate(remote.address(), remote.rkey(), immediate);
  }

  @Override
  public RelaxedLanding read(long remoteAddress, int rkey) {
    return (RelaxedLanding) send.read(remoteAddress, rkey);
  }

  @Override
  public RelaxedLanding read(RemoteMemory remote) {
    return read(remote.address(), remote.rkey());
  }

  @Override
  public RelaxedAtomic compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return (RelaxedAtomic) send.compareAndSwap(remoteAddress, rkey, compare, swap);
  }

  @Override
  public RelaxedAtomic compareAndSwap(RemoteMemory remote, long compare, long swap) {
    return compareAndSwap(remote.slice(0, Long.BYTES).address(), remote.rkey(), compare, swap);
  }

  @Override
  public RelaxedAtomic fetchAndAdd(long remoteAddress, int rkey, long add) {
    return (RelaxedAtomic) send.fetchAndAdd(remoteAddress, rkey, add);
  }

  @Override
  public RelaxedAtomic fetchAndAdd(RemoteMemory remote, long add) {
    return fetchAndAdd(remote.slice(0, Long.BYTES).address(), remote.rkey(), add);
  }

  @Override
  public RelaxedAtomic maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask) {
    return (RelaxedAtomic)
        send.maskedCompareAndSwap4(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public RelaxedAtomic maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask) {
    return (RelaxedAtomic)
        send.maskedCompareAndSwap8(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public RelaxedAtomic maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask) {
    return (RelaxedAtomic)
        send.maskedCompareAndSwap16(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  @Override
  public RelaxedAtomic maskedFetchAndAdd4(
      long remoteAddress, int rkey, int add, int fieldBoundary) {
    return (RelaxedAtomic) send.maskedFetchAndAdd4(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  public RelaxedAtomic maskedFetchAndAdd8(
      long remoteAddress, int rkey, long add, long fieldBoundary) {
    return (RelaxedAtomic) send.maskedFetchAndAdd8(remoteAddress, rkey, add, fieldBoundary);
  }

  @Override
  public RelaxedAtomic maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary) {
    return (RelaxedAtomic) send.maskedFetchAndAdd16(remoteAddress, rkey, add, fieldBoundary);
  }
}
