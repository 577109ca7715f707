package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.command.ConnectionSettings;
import dev.bluebell.verbs.ring.SendRequest;

/**
 * A connected queue pair with the operations of all kinds of requests. Applications see only those
 * that the interface of their queue pair has.
 *
 * @param <R> its requests
 */
public abstract class OperatingQueuePairImpl<R extends SendRequest<R>>
    extends ConnectedReceivingQueuePairImpl {

  OperatingQueuePairImpl(QueuePairParts parts, ConnectionSettings settings) {
    super(parts, settings);
  }

  /** Starts a request. */
  abstract R request();

  public final R send() {
    return request().send();
  }

  public final R sendImmediate(int immediate) {
    return request().sendImmediate(immediate);
  }

  public final R sendInvalidate(int rkey) {
    return request().sendInvalidate(rkey);
  }

  public final R write(long remoteAddress, int rkey) {
    return request().write(remoteAddress, rkey);
  }

  public final R writeImmediate(long remoteAddress, int rkey, int immediate) {
    return request().writeImmediate(remoteAddress, rkey, immediate);
  }

  public final R read(long remoteAddress, int rkey) {
    return request().read(remoteAddress, rkey);
  }

  public final R compareAndSwap(long remoteAddress, int rkey, long compare, long swap) {
    return request().compareAndSwap(remoteAddress, rkey, compare, swap);
  }

  public final R fetchAndAdd(long remoteAddress, int rkey, long add) {
    return request().fetchAndAdd(remoteAddress, rkey, add);
  }

  public final R maskedCompareAndSwap4(
      long remoteAddress, int rkey, int compare, int swap, int compareMask, int swapMask) {
    return request()
        .maskedCompareAndSwap4(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  public final R maskedCompareAndSwap8(
      long remoteAddress, int rkey, long compare, long swap, long compareMask, long swapMask) {
    return request()
        .maskedCompareAndSwap8(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  public final R maskedCompareAndSwap16(
      long remoteAddress,
      int rkey,
      Bits128 compare,
      Bits128 swap,
      Bits128 compareMask,
      Bits128 swapMask) {
    return request()
        .maskedCompareAndSwap16(remoteAddress, rkey, compare, swap, compareMask, swapMask);
  }

  public final R maskedFetchAndAdd4(long remoteAddress, int rkey, int add, int fieldBoundary) {
    return request().maskedFetchAndAdd4(remoteAddress, rkey, add, fieldBoundary);
  }

  public final R maskedFetchAndAdd8(long remoteAddress, int rkey, long add, long fieldBoundary) {
    return request().maskedFetchAndAdd8(remoteAddress, rkey, add, fieldBoundary);
  }

  public final R maskedFetchAndAdd16(
      long remoteAddress, int rkey, Bits128 add, Bits128 fieldBoundary) {
    return request().maskedFetchAndAdd16(remoteAddress, rkey, add, fieldBoundary);
  }
}
