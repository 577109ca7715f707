package dev.bluebell.verifier;

import java.util.Arrays;

/** A message that has consumed a receive entry and is not complete at the receiver. */
final class Arrival {
  /** The message. */
  final byte[] payload;

  /** Transfer to the memory that the receive entry names. */
  final Transfer scatter;

  /** Index of its receive entry, unwrapped. */
  final long index;

  Arrival(long index, byte[] payload, Transfer scatter) {
    this.index = index;
    this.payload = payload;
    this.scatter = scatter;
  }

  Arrival copy() {
    return new Arrival(index, payload, scatter.copy());
  }

  void key(StringBuilder key) {
    key.append(Arrays.hashCode(payload)).append(',').append(scatter.done());
  }
}
