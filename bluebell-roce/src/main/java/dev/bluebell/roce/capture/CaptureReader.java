package dev.bluebell.roce.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Reads a capture file, packet by packet, without trusting its lengths: it allocates memory only
 * for bytes that the file has, and at most 16 MiB at a time. Owned by one thread.
 */
public abstract sealed class CaptureReader permits PcapReader, PcapngReader {
  /** Maximum size of a pcapng block; no packet is larger. */
  static final int MAX_BLOCK = 1 << 24;

  /** Maximum size of a packet, as in tcpdump. */
  static final int MAX_PACKET = 1 << 18;

  static final long NANOS_PER_SECOND = 1_000_000_000;

  static final int MAGIC_BYTES = 4;

  private final InputStream in;
  private long offset = MAGIC_BYTES;

  /**
   * @param in the file behind its magic number
   */
  CaptureReader(InputStream in) {
    this.in = in;
  }

  /** True when a file that begins with these bytes is a capture file. */
  public static boolean isCapture(byte[] head) {
    if (head.length < MAGIC_BYTES) {
      return false;
    }
    int magic = ByteBuffer.wrap(head).getInt();
    return magic == PcapngReader.SECTION || PcapReader.isMagic(magic);
  }

  /**
   * Opens a capture file of either format.
   *
   * @param in the file from its start, preferably buffered; closed by its owner
   * @throws CaptureException when it is not a capture file
   */
  public static CaptureReader open(InputStream in) throws IOException {
    byte[] head = in.readNBytes(MAGIC_BYTES);
    if (!isCapture(head)) {
      throw new CaptureException(
          "this is neither a pcap nor a pcapng file: its first bytes are not the magic number of"
              + " either");
    }
    int magic = ByteBuffer.wrap(head).getInt();
    return magic == PcapngReader.SECTION ? new PcapngReader(in) : new PcapReader(in, magic);
  }

  /** The interfaces described so far: a view that grows. */
  public abstract List<CaptureInterface> interfaces();

  /**
   * The next packet; empty at the end of the file.
   *
   * @throws CaptureException when the file is malformed; the packets returned before remain valid
   */
  public abstract Optional<CapturedPacket> next() throws IOException;

  /** Reads this many bytes; empty at the end of the file. */
  final Optional<ByteBuffer> readOrEnd(int bytes, ByteOrder order, String what) throws IOException {
    byte[] read = in.readNBytes(bytes);
    if (read.length == 0 && bytes > 0) {
      return Optional.empty();
    }
    if (read.length < bytes) {
      throw cut(what, bytes, read.length);
    }
    offset += bytes;
    return Optional.of(ByteBuffer.wrap(read).order(order));
  }

  /** Reads this many bytes. */
  final ByteBuffer read(int bytes, ByteOrder order, String what) throws IOException {
    Optional<ByteBuffer> read = readOrEnd(bytes, order, what);
    if (read.isEmpty()) {
      throw cut(what, bytes, 0);
    }
    return read.get();
  }

  private CaptureException cut(String what, int bytes, int there) {
    return wrong(
        "%s should have %d bytes, but the file ends after %d".formatted(what, bytes, there));
  }

  /** Returns an exception about the current position. */
  final CaptureException wrong(String sentence) {
    return new CaptureException("at byte %d of the capture file: %s".formatted(offset, sentence));
  }
}
