package dev.bluebell.verifier;

import java.util.Arrays;

/** A request that has begun and is not complete. */
final class Operation {
  /** The request as fetched. */
  final Request request;

  /** Bytes to transfer, or the 8 bytes of an atomic. */
  final byte[] payload;

  /** Transfer from or to the memory of its list; inline bytes need none. */
  final Transfer local;

  /** Transfer to or from the memory of its remote address; empty for a message. */
  final Transfer remote;

  /** True when the peer has executed it: the memory there was written or read. */
  boolean performed;

  /** Index of its first WQEBB, unwrapped. */
  final long index;

  Operation(long index, Request request, byte[] payload, Transfer local, Transfer remote) {
    this.index = index;
    this.request = request;
    this.payload = payload;
    this.local = local;
    this.remote = remote;
  }

  Operation copy() {
    Operation copy = new Operation(index, request, payload.clone(), local.copy(), remote.copy());
    copy.performed = performed;
    return copy;
  }

  boolean isLocal() {
    return !request.isPosted()
        && !request.isAnswered()
        && !request.isTransposition()
        && !request.isKeyChange();
  }

  /** True when it only has to complete. */
  boolean isDone() {
    return isLocal()
        || performed && (request.isPosted() || request.isKeyChange() || local.isDone());
  }

  void key(StringBuilder key) {
    key.append(Arrays.hashCode(request.bytes()))
        .append(',')
        .append(Arrays.hashCode(payload))
        .append(',')
        .append(local.done())
        .append(',')
        .append(remote.done())
        .append(performed);
  }
}
