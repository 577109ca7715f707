package dev.bluebell.roce.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes a pcapng file of one section. Owned by one thread. */
public final class PcapngWriter {
  /** Maximum length of a comment in bytes; longer ones are truncated. */
  private static final int MAX_COMMENT = 0xfffc;

  private final OutputStream out;
  private final ByteOrder order;
  private final TimeUnits units;

  /**
   * Begins a file.
   *
   * @param out receives the file; its owner closes it
   */
  public PcapngWriter(OutputStream out, ByteOrder order, TimeUnits units) throws IOException {
    this.out = out;
    this.order = order;
    this.units = units;
    ByteBuffer body = ByteBuffer.allocate(PcapngReader.SECTION_BYTES).order(order);
    body.putInt(PcapngReader.ORDER_MAGIC)
        .putShort((short) PcapngReader.MAJOR)
        .putShort((short) 0)
        .putLong(-1);
    block(PcapngReader.SECTION, body);
  }

  /** Describes the next interface, before its first packet. */
  public void describe(CaptureInterface each) throws IOException {
    ByteBuffer body = ByteBuffer.allocate(PcapngReader.INTERFACE_BYTES + 12).order(order);
    body.putShort((short) each.linkType()).putShort((short) 0).putInt(each.snapLength());
    body.putShort((short) PcapngReader.TIME_RESOLUTION)
        .putShort((short) 1)
        .put((byte) units.exponent())
        .put(new byte[3])
        .putInt(0);
    block(PcapngReader.INTERFACE, body);
  }

  /** Writes a packet of an interface that was described. */
  public void write(CapturedPacket packet) throws IOException {
    ByteBuffer bytes = packet.bytes();
    List<byte[]> comments = packet.comments().stream().map(PcapngWriter::comment).toList();
    int options = comments.stream().mapToInt(comment -> 4 + padded(comment.length)).sum();
    ByteBuffer body =
        ByteBuffer.allocate(
                PcapngReader.PACKET_BYTES
                    + padded(bytes.limit())
                    + options
                    + (comments.isEmpty() ? 0 : 4))
            .order(order);
    long time = packet.nanoseconds() / units.nanoseconds();
    body.putInt(packet.interfaceIndex())
        .putInt((int) (time >>> 32))
        .putInt((int) time)
        .putInt(bytes.limit())
        .putInt((int) packet.wireBytes())
        .put(bytes.duplicate().position(0))
        .position(PcapngReader.PACKET_BYTES + padded(bytes.limit()));
    for (byte[] comment : comments) {
      body.putShort((short) PcapngReader.COMMENT).putShort((short) comment.length).put(comment);
      body.position(body.position() + padded(comment.length) - comment.length);
    }
    block(PcapngReader.ENHANCED_PACKET, body);
  }

  private static byte[] comment(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length <= MAX_COMMENT ? bytes : Arrays.copyOf(bytes, MAX_COMMENT);
  }

  private static int padded(int bytes) {
    return bytes + 3 & ~3;
  }

  private void block(int type, ByteBuffer body) throws IOException {
    int length = PcapngReader.AROUND_BLOCK + body.capacity();
    ByteBuffer block = ByteBuffer.allocate(length).order(order);
    block.putInt(type).putInt(length).put(body.array()).putInt(length);
    out.write(block.array());
  }
}
