package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;
import java.util.List;

/**
 * One end of a connection: a queue pair with a memory of {@link #MEMORY} bytes, of the software
 * ConnectX or of Soft-RoCE. Exchanges are written once for both directions.
 */
interface End {
  /** Bytes of memory. */
  int MEMORY = 1 << 20;

  /** In front of each received datagram. */
  int DATAGRAM_HEADER = 40;

  /** What a request does. */
  enum Verb {
    SEND,
    SEND_IMM,
    WRITE,
    WRITE_IMM,
    READ
  }

  /** For people: "ours" or "Soft-RoCE". */
  String name();

  /** Its address on the network. */
  Gid gid();

  /** Where a byte of its memory is, for the peer. */
  long address(int offset);

  int rkey();

  void receive(long id, int offset, int bytes);

  /**
   * Posts a request.
   *
   * @param remote address at the peer, of no meaning for a SEND
   */
  void post(long id, Verb verb, int offset, int bytes, long remote, int rkey, int immediate);

  void fetchAndAdd(long id, int offset, long remote, int rkey, long add);

  void compareAndSwap(long id, int offset, long remote, int rkey, long compare, long swap);

  /** Waits for so many completions. */
  List<Done> await(int count);

  /** Writes the pattern of a seed. */
  void fill(int offset, int bytes, long seed);

  /** Says where memory differs from the pattern of a seed; empty when it does not. */
  String differs(int offset, int bytes, long seed);

  long get(int offset);

  void put(int offset, long value);

  /** The pattern that both ends know. */
  static byte pattern(long seed, int i) {
    return (byte) (seed * 31 + i * 7L + (i >> 8) * 13L);
  }
}
