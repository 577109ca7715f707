package dev.bluebell.lab.rxe;

import dev.bluebell.hca.Gid;
import java.util.List;

/**
 * One end of a connection: a queue pair with {@link #MEMORY} bytes of memory, on the software
 * ConnectX or on Soft-RoCE. Exchanges use this interface, so each works in both directions.
 */
interface End {
  /** Length of its memory in bytes. */
  int MEMORY = 1 << 20;

  /** Length of the header before each received datagram. */
  int DATAGRAM_HEADER = 40;

  /** Operations of requests. */
  enum Verb {
    SEND,
    SEND_IMM,
    WRITE,
    WRITE_IMM,
    READ
  }

  /** Its name in messages: "ours" or "Soft-RoCE". */
  String name();

  /** Its address on the network. */
  Gid gid();

  /** Address of a byte of its memory, for the peer. */
  long address(int offset);

  int rkey();

  void receive(long id, int offset, int bytes);

  /**
   * Posts a request.
   *
   * @param remote address at the peer; unused for a SEND
   */
  void post(long id, Verb verb, int offset, int bytes, long remote, int rkey, int immediate);

  void fetchAndAdd(long id, int offset, long remote, int rkey, long add);

  void compareAndSwap(long id, int offset, long remote, int rkey, long compare, long swap);

  /** Waits for {@code count} completions. */
  List<Done> await(int count);

  /** Writes the pattern of a seed to its memory. */
  void fill(int offset, int bytes, long seed);

  /**
   * The first difference between its memory and the pattern of a seed; empty when there is none.
   */
  String differs(int offset, int bytes, long seed);

  long get(int offset);

  void put(int offset, long value);

  /** A byte of a pattern; both ends compute the same. */
  static byte pattern(long seed, int i) {
    return (byte) (seed * 31 + i * 7L + (i >> 8) * 13L);
  }
}
