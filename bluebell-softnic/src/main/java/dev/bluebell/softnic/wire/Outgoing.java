package dev.bluebell.softnic.wire;

import dev.bluebell.roce.packet.Bth;
import dev.bluebell.softnic.packet.Packet;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Packets that wait to be sent together, in their order, as bytes. Packets of one length and one
 * traffic class to one peer that follow each other make a <em>run</em>, of which the last may be
 * shorter: a kernel sends it as one, and makes datagrams of it as late as it can (UDP_SEGMENT). It
 * counts up the identification of IPv4 in a run, from 0, and the ICRC covers that. Allocates
 * nothing after its creation. Owned by the thread that runs the engine.
 */
final class Outgoing {
  /** Packets at most. */
  static final int PACKETS = 64;

  private static final int SLOT_BYTES = WireFormat.ROOM;

  /** UDP payload of a run at most: with IP and UDP header it has a length of 16 bits. */
  private static final int MOST_RUN_BYTES = 65_000;

  private final WireFormat format = new WireFormat(ByteBuffer.allocateDirect(PACKETS * SLOT_BYTES));
  private final ByteBuffer view = format.buffer().duplicate();
  private final int sourcePort;
  private final boolean ipv4;
  private final int headerBytes;
  private final int longestRun;

  // Of each packet: UDP payload, place in its run, and whose it is.
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

  /** Packets that wait. */
  int count() {
    return end - first;
  }

  boolean isFull() {
    return end == PACKETS;
  }

  /** Adds a packet, one that {@link WireFormat#whyNot} has nothing against; there must be room. */
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

  /** True when a run has as many packets as the kernel takes together. */
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

  // ---- what is to be sent next

  /** Index of the packet that is next. */
  int next() {
    return first;
  }

  /** Packets of the run that begins with a packet; 0 behind the last one. */
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

  /** Where all packets are, in big-endian order. */
  ByteBuffer buffer() {
    return format.buffer();
  }

  /** The next packet: its UDP payload between position and limit. Valid until the next call. */
  ByteBuffer first() {
    int payload = ipAt(first) + headerBytes;
    return view.limit(payload + bytes[first]).position(payload);
  }

  /** Where the next packet goes. */
  InetSocketAddress destination() {
    return destinations[first];
  }

  /** Describes the next packet as far as its sender needs it, to say that it was lost. */
  void describe(Packet lost) {
    lost.opcode = Bth.OPCODE.getInt(format.buffer(), ipAt(first) + headerBytes);
    lost.sourceQpn = sourceQpns[first];
  }

  /** Takes note that the next packets are gone: whole runs. */
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
