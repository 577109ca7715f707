package dev.bluebell.softnic.wire;

import dev.bluebell.roce.packet.Bth;
import dev.bluebell.softnic.packet.Packet;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A batch of encoded packets to be sent, in order. Consecutive packets of one length and one
 * traffic class to one peer form a <em>run</em>, of which the last may be shorter: the kernel sends
 * it as one, and segments it into datagrams as late as it can (UDP_SEGMENT). Within a run, the
 * kernel counts up the IPv4 identification from 0, and the ICRC covers it. Allocates nothing after
 * its creation. Owned by the thread that runs the engine.
 */
final class Outgoing {
  /** Most packets in a batch. */
  static final int PACKETS = 64;

  private static final int SLOT_BYTES = WireFormat.ROOM;

  /** Most UDP payload of a run: with IP and UDP header its length must fit into 16 bits. */
  private static final int MOST_RUN_BYTES = 65_000;

  private final WireFormat format = new WireFormat(ByteBuffer.allocateDirect(PACKETS * SLOT_BYTES));
  private final ByteBuffer view = format.buffer().duplicate();
  private final int sourcePort;
  private final boolean ipv4;
  private final int headerBytes;
  private final int longestRun;

  // For each packet: bytes of UDP payload, place in its run, source queue pair, destination.
  private final int[] bytes = new int[PACKETS];
  private final int[] places = new int[PACKETS];
  private final int[] sourceQpns = new int[PACKETS];
  private final InetSocketAddress[] destinations = new InetSocketAddress[PACKETS];

  private int first;
  private int end;

  // The run that the next packet may continue.
  private long runGidHigh;
  private long runGidLow;
  private int runTrafficClass;
  private int runPacketBytes;
  private int runBytes;
  private boolean runIsOpen;
  private boolean runIsFull;

  /**
   * @param sourcePort of UDP
   * @param ipv4 whether packets have an IPv4 header; otherwise they have one of IPv6
   * @param longestRun packets of a run at most; 1 when all packets are sent one by one
   */
  Outgoing(int sourcePort, boolean ipv4, int longestRun) {
    this.sourcePort = sourcePort;
    this.ipv4 = ipv4;
    this.longestRun = longestRun;
    headerBytes = WireFormat.headerBytes(ipv4);
  }

  boolean isEmpty() {
    return first == end;
  }

  /** Number of unsent packets. */
  int count() {
    return end - first;
  }

  boolean isFull() {
    return end == PACKETS;
  }

  /** Adds a packet that {@link WireFormat#whyNot} accepts; there must be room. */
  void add(Packet packet, InetSocketAddress destination) {
    int at = ipAt(end);
    int length = format.write(packet, at, sourcePort) - at - headerBytes;
    format.allowMarks();
    int place = joins(packet, length) ? places[end - 1] + 1 : 0;
    format.seal(place);
    bytes[end] = length;
    places[end] = place;
    sourceQpns[end] = packet.sourceQpn;
    destinations[end] = destination;
    if (place == 0) {
      runGidHigh = packet.destinationGidHigh;
      runGidLow = packet.destinationGidLow;
      runTrafficClass = packet.trafficClass;
      runPacketBytes = length;
      runBytes = 0;
    }
    runBytes += length;
    runIsFull = place + 1 == longestRun || runBytes + runPacketBytes > MOST_RUN_BYTES;
    runIsOpen = length == runPacketBytes && !runIsFull;
    end++;
  }

  /** True when the last run is as long as the kernel accepts. */
  boolean hasFullRun() {
    return runIsFull && longestRun > 1;
  }

  private boolean joins(Packet packet, int length) {
    return runIsOpen
        && length <= runPacketBytes
        && packet.trafficClass == runTrafficClass
        && packet.destinationGidLow == runGidLow
        && packet.destinationGidHigh == runGidHigh;
  }

  // ---- sending

  /** Index of the next packet. */
  int next() {
    return first;
  }

  /** Length of the run that begins with a packet; 0 behind the last packet. */
  int run(int index) {
    int after = index;
    while (after < end && (after == index || places[after] > 0)) {
      after++;
    }
    return after - index;
  }

  /** Offset of a packet's IP header in {@link #buffer}. */
  static int ipAt(int index) {
    return index * SLOT_BYTES;
  }

  /** Bytes of UDP payload of a packet, which follow its IP and UDP header. */
  int bytes(int index) {
    return bytes[index];
  }

  /** The buffer of all packets, in big-endian order. */
  ByteBuffer buffer() {
    return format.buffer();
  }

  /** The next packet: its UDP payload between position and limit. Valid until the next call. */
  ByteBuffer first() {
    int payload = ipAt(first) + headerBytes;
    return view.limit(payload + bytes[first]).position(payload);
  }

  /** Destination of the next packet. */
  InetSocketAddress destination() {
    return destinations[first];
  }

  /** Fills in the fields of the next packet that are needed to report its loss to its sender. */
  void describe(Packet lost) {
    lost.opcode = Bth.OPCODE.getInt(format.buffer(), ipAt(first) + headerBytes);
    lost.sourceQpn = sourceQpns[first];
  }

  /** Removes the next packets, whole runs, because they were sent. */
  void sent(int packets) {
    first += packets;
    if (first == end) {
      first = 0;
      end = 0;
      runIsOpen = false;
      runIsFull = false;
    }
  }

  /** Makes each packet of the next run a run of its own. */
  void split() {
    runIsOpen = false;
    runIsFull = false;
    for (int i = first + run(first) - 1; i > first; i--) {
      int at = ipAt(i);
      format.look(at, at + headerBytes + bytes[i], ipv4);
      format.seal(0);
      places[i] = 0;
    }
  }
}
