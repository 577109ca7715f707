package dev.bluebell.verifier;

import java.util.Arrays;

/** A request that has begun and is not complete. */
final class Operation {
  /** As fetched. */
  final Request request;

  /** Bytes that move, or the 8 bytes of an atomic. */
  final byte[] payload;

  /** From or to the memory that its list names; inline bytes are there already. */
  final Transfer local;

  /** To or from the memory that its remote address names; of no bytes for a message. */
  final Transfer remote;

  /** True when the peer has done its part: what is written is there, what is read was read. */
  boolean performed;

  /** Index of its first WQEBB, counted on for ever. */
  final long index;

  Operation(long index, Request request, byte[] payload, Transfer local, Transfer remote) {
    this.index = index;
    this.request = request;
    this.payload = payload;
    this.local = local;
    this.remote = remote;
  }

  Operation copy() {
    Operation copy =
        new Operation(
            index, request, Arrays.copyOf(payload, payload.length), local.copy(), remote.copy());
    copy.performed = performed;
    return copy;
  }

  boolean isLocal() {
    return !request.isPosted()
        && !request.isAnswered()
        && !request.isTransposition()
        && !request.isKeyChange();
  }

  /** True when nothing is left but to complete. */
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
