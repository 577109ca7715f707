package dev.bluebell.softnic.wire;

import dev.bluebell.roce.packet.Ethernet;
import java.nio.ByteBuffer;

/** Reads and writes Ethernet addresses (the low 48 bits of a long) in frames. */
final class Mac {
  /** Set in addresses of groups. */
  private static final long GROUP = 1L << 40;

  private Mac() {}

  static long get(ByteBuffer frame, int at) {
    return (frame.getShort(at) & 0xffffL) << Integer.SIZE
        | frame.getInt(at + Short.BYTES) & 0xffff_ffffL;
  }

  static void put(ByteBuffer frame, int at, long mac) {
    frame.putShort(at, (short) (mac >>> Integer.SIZE));
    frame.putInt(at + Short.BYTES, (int) mac);
  }

  /** True for the address of a single host. */
  static boolean isHost(long mac) {
    return mac != 0 && !isGroup(mac);
  }

  /** True for an address of many hosts, including broadcast. */
  static boolean isGroup(long mac) {
    return (mac & GROUP) != 0;
  }

  /** Writes an Ethernet header to the beginning of a frame. */
  static void header(ByteBuffer frame, long destination, long source, int type) {
    Ethernet.DST.put(frame, 0, destination);
    Ethernet.SRC.put(frame, 0, source);
    Ethernet.TYPE.put(frame, 0, type);
  }
}
