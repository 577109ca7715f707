package dev.bluebell.softnic.wire;

import java.nio.ByteBuffer;

/**
 * An address resolution protocol, which maps IP addresses to Ethernet addresses: reads and writes
 * its frames in big-endian buffers. IP addresses are passed as halves of GIDs, Ethernet addresses
 * as 48 bits. Allocates nothing after its creation. Owned by the thread that runs the engine.
 */
interface Resolution {
  /** Kind of a frame. */
  enum Kind {
    /** Of another protocol, or of no concern to this host. */
    OTHER,
    /** Of this protocol, but malformed. */
    MALFORMED,
    /** Another host asks for this host's Ethernet address. */
    QUESTION,
    /** Another host reports the Ethernet address of its IP address. */
    STATEMENT
  }

  /**
   * Reads a frame.
   *
   * @param at where its Ethernet header begins, which must be complete
   * @param bytes of the frame
   */
  Kind read(ByteBuffer frame, int at, int bytes);

  /**
   * Upper half of the GID of the host that sent the question or statement; 0 when it has none yet.
   */
  long senderHigh();

  /** Lower half of it; 0 when it has none yet. */
  long senderLow();

  /** The Ethernet address that this host reports. */
  long senderMac();

  /** Writes the answer to the last question that was read, from 0 on; returns its bytes. */
  int answer(ByteBuffer frame);

  /** Writes a question for the Ethernet address of a GID, from 0 on; returns its bytes. */
  int question(ByteBuffer frame, long gidHigh, long gidLow);
}
