package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.ReliableOperations;
import java.util.function.Function;

/** A request to post to any kind of queue pair. Reused for the next one. */
final class Request {
  static final int MOST_PIECES = 4;

  RequestKind kind = RequestKind.NOP;

  /** Index of the destination, for queue pairs whose requests name one. */
  int target;

  long remoteAddress;
  int rkey;
  int immediate;

  // Local memory: pieces, or inline data.
  final long[] pieceAddress = new long[MOST_PIECES];
  final int[] pieceBytes = new int[MOST_PIECES];
  int pieces;
  int lkey;
  final byte[] inline = new byte[64];
  int inlineBytes = -1;

  /** Starts an atomic operation. */
  Function<ReliableOperations, AtomicScatter> atomic = Request::none;

  boolean fence;
  boolean solicited;
  boolean signaled;
  long id;

  private static AtomicScatter none(ReliableOperations to) {
    throw new IllegalStateException("the request is not an atomic operation");
  }

  /** Resets it, without data and flags. */
  void begin(RequestKind what, int to) {
    kind = what;
    target = to;
    pieces = 0;
    inlineBytes = -1;
    fence = false;
    solicited = false;
  }

  void piece(long address, int bytes) {
    pieceAddress[pieces] = address;
    pieceBytes[pieces] = bytes;
    pieces++;
  }
}
