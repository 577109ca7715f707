package dev.bluebell.roce.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Reads pcap files of either byte order, with times in µs or ns. Source: the pcap-savefile manual
 * page of libpcap.
 */
final class PcapReader extends CaptureReader {
  static final int MICROSECONDS = 0xa1b2c3d4;
  static final int NANOSECONDS = 0xa1b23c4d;
  static final int MAJOR = 2;
  static final int MINOR = 4;
  static final int HEADER_BYTES = 24;
  static final int RECORD_BYTES = 16;

  private static final int NANOS_PER_MICRO = 1000;

  private final ByteOrder order;
  private final int nanosPerUnit;
  private final CaptureInterface only;

  PcapReader(InputStream in, int magic) throws IOException {
    super(in);
    boolean big = magic == MICROSECONDS || magic == NANOSECONDS;
    order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    nanosPerUnit = (big ? magic : Integer.reverseBytes(magic)) == NANOSECONDS ? 1 : NANOS_PER_MICRO;
    ByteBuffer header = read(HEADER_BYTES - MAGIC_BYTES, order, "the header of a pcap file");
    int major = header.getShort(0);
    if (major != MAJOR) {
      throw wrong("the version is %d, but only %d is supported".formatted(major, MAJOR));
    }
    // The bits above the link type are the length of a frame check sequence, and reserved bits.
    only = new CaptureInterface(header.getInt(16) & 0xffff, header.getInt(12));
  }

  static boolean isMagic(int magic) {
    int swapped = Integer.reverseBytes(magic);
    return magic == MICROSECONDS
        || magic == NANOSECONDS
        || swapped == MICROSECONDS
        || swapped == NANOSECONDS;
  }

  @Override
  public List<CaptureInterface> interfaces() {
    return List.of(only);
  }

  @Override
  public Optional<CapturedPacket> next() throws IOException {
    Optional<ByteBuffer> head = readOrEnd(RECORD_BYTES, order, "the header of a packet");
    if (head.isEmpty()) {
      return Optional.empty();
    }
    long seconds = Integer.toUnsignedLong(head.get().getInt(0));
    long units = Integer.toUnsignedLong(head.get().getInt(4));
    int captured = head.get().getInt(8);
    if (captured < 0 || captured > MAX_PACKET) {
      throw wrong(
          "a packet of %d bytes: no packet has more than %d"
              .formatted(Integer.toUnsignedLong(captured), MAX_PACKET));
    }
    long wire = Math.max(captured, Integer.toUnsignedLong(head.get().getInt(12)));
    ByteBuffer bytes = read(captured, ByteOrder.BIG_ENDIAN, "a packet");
    return Optional.of(
        new CapturedPacket(
            0, seconds * NANOS_PER_SECOND + units * nanosPerUnit, bytes, wire, List.of()));
  }
}
