package dev.bluebell.softnic.wire;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.text.FileErrors;
import dev.bluebell.roce.capture.CaptureInterface;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.capture.PcapWriter;
import dev.bluebell.roce.capture.TimeUnits;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.fabric.PassingFabric;
import dev.bluebell.softnic.fabric.PassingSink;
import dev.bluebell.softnic.fabric.Route;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.EthernetPort;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Writes the packets of a device to a pcap file, as raw IP: the packets that it sends (within the
 * device too, and those that a lossy fabric then loses) and those that arrive from the network.
 * Each packet is in the file when its turn is over. Owned by the thread that runs the engine.
 */
public final class Capture implements AutoCloseable {
  private static final int SNAP_LENGTH = 1 << 16;

  private final Path file;
  private final OutputStream out;
  private final PcapWriter writer;
  private final DeviceTime time;
  private final Explanations explanations;
  private final WireFormat format = new WireFormat();

  // Nanoseconds from the device's clock to wall-clock time.
  private final long epoch;

  private boolean failed;
  private boolean leavesOut;

  /**
   * Begins a file.
   *
   * @throws HcaException when it can't be written
   */
  public Capture(Path file, DeviceTime time, Explanations explanations) {
    this.file = file;
    this.time = time;
    this.explanations = explanations;
    epoch = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - time.now();
    try {
      // No buffer: the file is complete at any time, even after the process is killed.
      out = Files.newOutputStream(file);
      writer =
          new PcapWriter(
              out,
              ByteOrder.LITTLE_ENDIAN,
              TimeUnits.NANOSECONDS,
              new CaptureInterface(LinkType.RAW_IP.number(), SNAP_LENGTH));
    } catch (IOException e) {
      throw new HcaException(
          "pcap=%s of device soft: the file can't be written: %s; name another file"
              .formatted(file, FileErrors.whyNotWritten(e)),
          e);
    }
  }

  /** Writes a packet that is sent or was received. */
  private void add(Packet packet) {
    String whyNot = WireFormat.whyNot(packet);
    if (failed || !whyNot.isEmpty()) {
      if (!failed && !leavesOut) {
        leavesOut = true;
        explanations.add("%s omits packets: %s".formatted(file, whyNot));
      }
      return;
    }
    int bytes = format.encode(packet, EthernetPort.MIN_SOURCE_PORT);
    ByteBuffer copy = ByteBuffer.allocate(bytes);
    copy.put(0, format.buffer(), 0, bytes);
    try {
      writer.write(new CapturedPacket(0, epoch + time.now(), copy, bytes, List.of()));
    } catch (IOException e) {
      failed = true;
      explanations.add(
          "%s has no more packets, because writing failed: %s"
              .formatted(file, FileErrors.reason(e)));
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Captures sent packets. They are single packets: requests do not cut through or form trains. */
  public Fabric around(Fabric fabric) {
    return new PassingFabric(fabric) {
      @Override
      protected boolean send(Packet packet, Route route, Work sender) {
        boolean taken = route.send(packet);
        if (taken) {
          add(packet);
        }
        return taken;
      }

      @Override
      protected int burstBytes(Route route, int logMtu) {
        return 1 << logMtu;
      }
    };
  }

  /** Captures packets that arrive from the network. */
  public PacketSink before(PacketSink sink) {
    return new PassingSink(sink) {
      @Override
      public void arrive(Packet packet) {
        add(packet);
        super.arrive(packet);
      }
    };
  }
}
