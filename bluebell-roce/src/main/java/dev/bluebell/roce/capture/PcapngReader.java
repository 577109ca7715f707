package dev.bluebell.roce.capture;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Reads pcapng files: sections of either byte order, interfaces, enhanced and simple packets with
 * their comments. Other blocks are skipped. Source: the Internet draft on pcapng.
 */
final class PcapngReader extends CaptureReader {
  static final int SECTION = 0x0a0d0d0a;
  static final int INTERFACE = 1;
  static final int SIMPLE_PACKET = 3;
  static final int ENHANCED_PACKET = 6;
  static final int ORDER_MAGIC = 0x1a2b3c4d;
  static final int MAJOR = 1;
  static final int COMMENT = 1;
  static final int TIME_RESOLUTION = 9;

  /** Bytes around a block's body: type and length before it, and the length again after it. */
  static final int AROUND_BLOCK = 12;

  static final int SECTION_BYTES = 16;
  static final int INTERFACE_BYTES = 8;
  static final int PACKET_BYTES = 20;

  private static final int TIME_OFFSET = 14;
  private static final int SIMPLE_BYTES = 4;
  private static final int MICROSECONDS = 6;
  private static final int BINARY = 0x80;

  private static final BigInteger SECOND = BigInteger.valueOf(NANOS_PER_SECOND);

  /** Maximum number of interfaces of a file; more are treated as an error. */
  private static final int MAX_INTERFACES = 1 << 16;

  private final List<CaptureInterface> interfaces = new ArrayList<>();
  private final List<Clock> clocks = new ArrayList<>();

  private ByteOrder order = ByteOrder.BIG_ENDIAN;

  /** Number of interfaces in earlier sections. */
  private int earlier;

  PcapngReader(InputStream in) throws IOException {
    super(in);
    section();
  }

  /** The unit and the origin of an interface's times. */
  private record Clock(BigInteger unitsPerSecond, long offsetSeconds) {

    /**
     * @param resolution a negative exponent of ten, or of two in its low 7 bits
     */
    static Clock of(int resolution, long offsetSeconds) {
      return new Clock(
          (resolution & BINARY) == 0
              ? BigInteger.TEN.pow(resolution)
              : BigInteger.ONE.shiftLeft(resolution & BINARY - 1),
          offsetSeconds);
    }

    /** The time in ns, clamped to the range of a long. */
    long nanos(long time) {
      BigInteger nanos =
          new BigInteger(Long.toUnsignedString(time))
              .multiply(SECOND)
              .divide(unitsPerSecond)
              .add(BigInteger.valueOf(offsetSeconds).multiply(SECOND));
      if (nanos.bitLength() < Long.SIZE) {
        return nanos.longValue();
      }
      return nanos.signum() > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    }
  }

  @Override
  public List<CaptureInterface> interfaces() {
    return Collections.unmodifiableList(interfaces);
  }

  @Override
  public Optional<CapturedPacket> next() throws IOException {
    while (true) {
      Optional<ByteBuffer> head = readOrEnd(4, order, "the type of a block");
      if (head.isEmpty()) {
        return Optional.empty();
      }
      int type = head.get().getInt(0);
      if (type == SECTION) {
        section();
        continue;
      }
      ByteBuffer body = body(read(4, order, "the length of a block").getInt(0), 0);
      switch (type) {
        case INTERFACE -> describe(body);
        case ENHANCED_PACKET -> {
          return Optional.of(enhanced(body));
        }
        case SIMPLE_PACKET -> {
          return Optional.of(simple(body));
        }
        default -> {}
      }
    }
  }

  /** Reads a section header after its type. */
  private void section() throws IOException {
    ByteBuffer head = read(8, ByteOrder.BIG_ENDIAN, "the header of a section");
    int magic = head.getInt(4);
    if (magic != ORDER_MAGIC && Integer.reverseBytes(magic) != ORDER_MAGIC) {
      throw wrong("the byte-order magic of a section is 0x%08x".formatted(magic));
    }
    order = magic == ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer body = body(head.order(order).getInt(0), 4);
    if (body.limit() < SECTION_BYTES - 4) {
      throw wrong("the header of a section has too few bytes");
    }
    int major = body.getShort(0);
    if (major != MAJOR) {
      throw wrong("the version is %d, but only %d is supported".formatted(major, MAJOR));
    }
    earlier = interfaces.size();
  }

  /** Reads the rest of a block, and returns the bytes between its two lengths. */
  private ByteBuffer body(int length, int alreadyRead) throws IOException {
    int rest = length - AROUND_BLOCK - alreadyRead;
    if (length < AROUND_BLOCK + alreadyRead || length > MAX_BLOCK || length % 4 != 0) {
      throw wrong(
          "a block has %d bytes: blocks have %d to %d, in multiples of 4"
              .formatted(Integer.toUnsignedLong(length), AROUND_BLOCK, MAX_BLOCK));
    }
    ByteBuffer block = read(rest + 4, order, "a block");
    if (block.getInt(rest) != length) {
      throw wrong(
          "the two lengths of a block differ: %d and %d".formatted(length, block.getInt(rest)));
    }
    return block.limit(rest);
  }

  private void describe(ByteBuffer body) throws IOException {
    if (body.limit() < INTERFACE_BYTES || interfaces.size() == MAX_INTERFACES) {
      throw wrong("an interface has too few bytes, or there are too many interfaces");
    }
    int[] resolution = {MICROSECONDS};
    long[] offset = {0};
    options(
        body,
        INTERFACE_BYTES,
        (code, value) -> {
          if (code == TIME_RESOLUTION && value.limit() >= 1) {
            resolution[0] = value.get(0) & 0xff;
          } else if (code == TIME_OFFSET && value.limit() >= Long.BYTES) {
            offset[0] = value.getLong(0);
          }
        });
    interfaces.add(new CaptureInterface(body.getShort(0) & 0xffff, body.getInt(4)));
    clocks.add(Clock.of(resolution[0], offset[0]));
  }

  private CapturedPacket enhanced(ByteBuffer body) throws IOException {
    if (body.limit() < PACKET_BYTES) {
      throw wrong("a packet block has too few bytes");
    }
    int captured = body.getInt(12);
    long wire = Math.max(captured, Integer.toUnsignedLong(body.getInt(16)));
    ByteBuffer bytes = data(body, PACKET_BYTES, captured);
    List<String> comments = new ArrayList<>();
    options(
        body,
        PACKET_BYTES + (captured + 3 & ~3),
        (code, value) -> {
          if (code == COMMENT) {
            comments.add(StandardCharsets.UTF_8.decode(value).toString());
          }
        });
    int index = interfaceIndex(body.getInt(0));
    long time = (long) body.getInt(4) << 32 | Integer.toUnsignedLong(body.getInt(8));
    return new CapturedPacket(index, clocks.get(index).nanos(time), bytes, wire, comments);
  }

  /** A simple packet, which has no time and belongs to the first interface of its section. */
  private CapturedPacket simple(ByteBuffer body) throws IOException {
    if (body.limit() < SIMPLE_BYTES) {
      throw wrong("a packet block has too few bytes");
    }
    int index = interfaceIndex(0);
    long wire = Integer.toUnsignedLong(body.getInt(0));
    int snap = interfaces.get(index).snapLength();
    long most = snap > 0 ? Math.min(wire, snap) : wire;
    int captured = (int) Math.min(most, body.limit() - SIMPLE_BYTES);
    return new CapturedPacket(index, 0, data(body, SIMPLE_BYTES, captured), wire, List.of());
  }

  private int interfaceIndex(int ofSection) throws IOException {
    if (ofSection < 0 || ofSection >= interfaces.size() - earlier) {
      throw wrong(
          "a packet names interface %d, but its section has described only %d"
              .formatted(Integer.toUnsignedLong(ofSection), interfaces.size() - earlier));
    }
    return earlier + ofSection;
  }

  private ByteBuffer data(ByteBuffer body, int at, int captured) throws IOException {
    if (captured < 0 || captured > MAX_PACKET || captured > body.limit() - at) {
      throw wrong(
          "a packet of %d bytes is in a block that has room for %d"
              .formatted(Integer.toUnsignedLong(captured), body.limit() - at));
    }
    return body.slice(at, captured).order(ByteOrder.BIG_ENDIAN);
  }

  private void options(ByteBuffer body, int from, BiConsumer<Integer, ByteBuffer> visitor)
      throws IOException {
    int at = from;
    while (body.limit() - at >= 4) {
      int code = body.getShort(at) & 0xffff;
      int length = body.getShort(at + 2) & 0xffff;
      if (code == 0) {
        return;
      }
      at += 4;
      if (length > body.limit() - at) {
        throw wrong(
            "an option has %d bytes, but its block has only %d"
                .formatted(length, body.limit() - at));
      }
      visitor.accept(code, body.slice(at, length).order(order));
      at += length + 3 & ~3;
    }
  }
}
