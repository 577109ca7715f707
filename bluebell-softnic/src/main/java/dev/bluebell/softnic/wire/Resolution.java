package dev.bluebell.softnic.wire;

import java.nio.ByteBuffer;

/**
 * A protocol by which hosts of one Ethernet find the Ethernet addresses of IP addresses: the frames
 * of it, in big-endian buffers. Addresses are halves of GIDs, and 48 bits for Ethernet. Allocates
 * nothing after its creation. Owned by the thread that runs the engine.
 */
interface Resolution {
  /** What a frame is. */
  enum Kind {
    /** Of another protocol, or of no concern to this host. */
    OTHER,
    /** Of this protocol, and wrong. */
    MALFORMED,
    /** Another host asks for this host's Ethernet address. */
    QUESTION,
    /** Another host says which Ethernet address its IP address has. */
    STATEMENT
  }

  /**
   * Reads a frame.
   *
   * @param at where its Ethernet header begins, all of which is there
   * @param bytes of the frame
   */
  Kind read(ByteBuffer frame, int at, int bytes);

  /** Upper half of the GID of whoever sent the question or statement; 0 when it has none yet. */
  long senderHigh();

  /** Lower half of it; 0 when it has none yet. */
  long senderLow();

  /** The Ethernet address that it says it has. */
  long senderMac();

  /** Writes the answer to the question that was read last, from 0 on; its bytes. */
  int answer(ByteBuffer frame);

  /** Writes a question for the Ethernet address of a GID, from 0 on; its bytes. */
  int question(ByteBuffer frame, long gidHigh, long gidLow);
}
