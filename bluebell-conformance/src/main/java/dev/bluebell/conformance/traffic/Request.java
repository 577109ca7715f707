package dev.bluebell.conformance.traffic;

import dev.bluebell.verbs.Bits128;

/** A request to be posted, whatever the queue pair. Reused for the next. */
final class Request {
  static final int MOST_PIECES = 4;

  RequestKind kind = RequestKind.NOP;

  /** Which of the destinations that the queue pair names in each request. */
  int target;

  long remoteAddress;
  int rkey;
  int immediate;

  // Local memory: pieces, or bytes that travel inside the request.
  final long[] pieceAddress = new long[MOST_PIECES];
  final int[] pieceBytes = new int[MOST_PIECES];
  int pieces;
  int lkey;
  final byte[] inline = new byte[64];
  int inlineBytes = -1;

  // Operands of atomics; those of 16 bytes have high halves.
  int operandBytes;
  Bits128 first = Bits128.ZERO;
  Bits128 second = Bits128.ZERO;
  Bits128 firstMask = Bits128.ZERO;
  Bits128 secondMask = Bits128.ZERO;

  boolean fence;
  boolean solicited;
  boolean signaled;
  long id;

  /** Begins anew, without data and flags. */
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
