package dev.bluebell.roce.capture;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes a pcap file, which has one interface and no comments. Owned by one thread. */
public final class PcapWriter {
  private final OutputStream out;
  private final ByteOrder order;
  private final TimeUnits units;

  /**
   * Begins a file.
   *
   * @param out receives the file; its owner closes it
   */
  public PcapWriter(OutputStream out, ByteOrder order, TimeUnits units, CaptureInterface only)
      throws IOException {
    this.out = out;
    this.order = order;
    this.units = units;
    ByteBuffer header = ByteBuffer.allocate(PcapReader.HEADER_BYTES).order(order);
    header
        .putInt(units == TimeUnits.NANOSECONDS ? PcapReader.NANOSECONDS : PcapReader.MICROSECONDS)
        .putShort((short) PcapReader.MAJOR)
        .putShort((short) PcapReader.MINOR)
        .putLong(0)
        .putInt(only.snapLength())
        .putInt(only.linkType());
    out.write(header.array());
  }

  /** Writes a packet; its time is rounded down to the file's unit. */
  public void write(CapturedPacket packet) throws IOException {
    long time = packet.nanoseconds();
    ByteBuffer bytes = packet.bytes();
    ByteBuffer block = ByteBuffer.allocate(PcapReader.RECORD_BYTES + bytes.limit()).order(order);
    block
        .putInt((int) Math.floorDiv(time, CaptureReader.NANOS_PER_SECOND))
        .putInt((int) (Math.floorMod(time, CaptureReader.NANOS_PER_SECOND) / units.nanoseconds()))
        .putInt(bytes.limit())
        .putInt((int) packet.wireBytes())
        .put(bytes.duplicate().position(0));
    out.write(block.array());
  }
}
