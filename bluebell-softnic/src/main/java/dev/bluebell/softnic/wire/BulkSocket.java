package dev.bluebell.softnic.wire;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.roce.packet.Udp;
import dev.bluebell.softnic.port.Gids;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The UDP socket of a device on 64-bit Linux, through the C library: sends and receives many
 * packets per call, with segmentation offload (GSO, GRO). See udp(7), sendmmsg(2), recvmmsg(2), and
 * networking/segmentation-offloads.rst of the kernel's documentation.
 *
 * <p>Owned and closed by the thread that runs the engine; any thread may {@link #wake}, and one
 * thread at a time may {@link #sleep} meanwhile.
 */
final class BulkSocket implements Link {
  /** SOCK_DGRAM, with SOCK_CLOEXEC and SOCK_NONBLOCK. */
  private static final int TYPE = 0x2 | 0x80000 | 0x800;

  /** EFD_CLOEXEC and EFD_NONBLOCK. */
  private static final int EVENT_FLAGS = 0x80000 | 0x800;

  private static final int SOL_SOCKET = 1;
  private static final int SO_SNDBUF = 7;
  private static final int SO_RCVBUF = 8;
  private static final int IP_MTU_DISCOVER = 10;
  private static final int IP_RECVTOS = 13;
  private static final int IPV6_MTU_DISCOVER = 23;
  private static final int IPV6_RECVTCLASS = 66;
  private static final int UDP_NO_CHECK6_RX = 102;

  /** IP_PMTUDISC_DO, and that of IPv6. */
  private static final int NEVER_FRAGMENT = 2;

  /** Requested buffer size; the kernel may grant less. */
  private static final int BUFFER_BYTES = 4 << 20;

  /** The smallest UDP_MAX_SEGMENTS of all kernels. */
  private static final int SEGMENTS = 64;

  // struct pollfd
  private static final int POLLED_BYTES = 8;
  private static final int EVENTS_AT = 4;
  private static final short POLLIN = 1;

  /** Senders that are remembered, a power of 2: a datagram from one of them allocates nothing. */
  private static final int SENDERS = 64;

  private final SocketCalls calls;

  // The engine's thread sleeps while another thread, with a command, may own the engine and send.
  private final SocketCalls sleeperCalls;

  private int socket;
  private final int event;
  private final Gid gid;
  private final boolean ipv4;
  private final int receiveBuffer;
  private final int longestRun;

  private final Messages out;
  private final int[] runs = new int[Outgoing.PACKETS];
  private final int destinationAt;
  private final int payloadAt;
  private @Nullable Outgoing outgoing;
  private long outgoingAt;

  private final Messages in;
  private final Sender[] senders = new Sender[SENDERS];
  private @Nullable Incoming incoming;

  private final MemorySegment polled;
  private final MemorySegment timeout;
  private final MemorySegment signals;
  private boolean closed;

  private BulkSocket(SocketCalls calls, Arena arena, int socket, int event, InetAddress address) {
    this.calls = calls;
    sleeperCalls = new SocketCalls(arena);
    this.socket = socket;
    this.event = event;
    gid = Gids.of(address);
    ipv4 = address instanceof Inet4Address;
    // Linux reports twice the usable size, because it includes its own overhead.
    receiveBuffer = calls.option(socket, SOL_SOCKET, SO_RCVBUF) / 2;
    longestRun = calls.option(socket, Messages.SOL_UDP, Messages.UDP_SEGMENT) < 0 ? 1 : SEGMENTS;
    destinationAt = WireFormat.destinationAt(ipv4);
    payloadAt = WireFormat.headerBytes(ipv4);
    out = new Messages(arena, Outgoing.PACKETS, ipv4);
    in = new Messages(arena, Incoming.ROWS, ipv4);
    Arrays.fill(senders, new Sender(0, 0, 0));
    polled = arena.allocate(2 * POLLED_BYTES, Long.BYTES);
    polled.set(JAVA_INT, 0, socket);
    polled.set(JAVA_SHORT, EVENTS_AT, POLLIN);
    polled.set(JAVA_INT, POLLED_BYTES, event);
    polled.set(JAVA_SHORT, POLLED_BYTES + EVENTS_AT, POLLIN);
    timeout = arena.allocate(2 * Long.BYTES, Long.BYTES);
    signals = arena.allocate(JAVA_LONG);
  }

  /** True on 64-bit Linux, where this module has native access. */
  static boolean isPossible() {
    return BulkSocket.class.getModule().isNativeAccessEnabled()
        && ADDRESS.byteSize() == Long.BYTES
        && System.getProperty("os.name").equals("Linux");
  }

  /**
   * Binds a socket to the port of RoCEv2, where it {@linkplain #isPossible is possible}.
   *
   * @return null when the system refuses sendmmsg
   * @throws HcaException when the address can't be bound
   */
  static @Nullable BulkSocket open(InetAddress address) {
    // The garbage collector frees the memory once no call can use it any more.
    Arena arena = Arena.ofAuto();
    SocketCalls calls = new SocketCalls(arena);
    boolean ipv4 = address instanceof Inet4Address;
    int socket = calls.socket(ipv4 ? Messages.AF_INET : Messages.AF_INET6, TYPE);
    int event = socket < 0 ? socket : calls.eventfd(EVENT_FLAGS);
    int bound = event < 0 ? event : bind(calls, arena, socket, address);
    if (bound >= 0 && calls.sendmmsg(socket, MemorySegment.NULL, 0, 0) == 0) {
      return new BulkSocket(calls, arena, socket, event, address);
    }
    SocketCalls.close(event);
    SocketCalls.close(socket);
    if (bound < 0) {
      throw UdpSocket.unbound(address, new IOException(SocketCalls.text(-bound)));
    }
    return null;
  }

  /** Configures and binds a socket; minus errno when it can't. */
  private static int bind(SocketCalls calls, Arena arena, int socket, InetAddress address) {
    boolean ipv4 = address instanceof Inet4Address;
    // An option that the kernel does not know, or grants only in part, is not an error.
    calls.setOption(socket, SOL_SOCKET, SO_RCVBUF, BUFFER_BYTES);
    calls.setOption(socket, SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES);
    calls.setOption(socket, Messages.SOL_UDP, Messages.UDP_GRO, 1);
    if (ipv4) {
      calls.setOption(socket, Messages.IPPROTO_IP, Messages.IP_TOS, Ecn.CAPABLE);
      calls.setOption(socket, Messages.IPPROTO_IP, IP_RECVTOS, 1);
    } else {
      calls.setOption(socket, Messages.IPPROTO_IPV6, Messages.IPV6_TCLASS, Ecn.CAPABLE);
      calls.setOption(socket, Messages.IPPROTO_IPV6, IPV6_RECVTCLASS, 1);
      // Linux Soft-RoCE sends no UDP checksum. Each packet has an ICRC.
      calls.setOption(socket, Messages.SOL_UDP, UDP_NO_CHECK6_RX, 1);
    }
    // RoCEv2 forbids fragments. Also, only with this option does Linux give a packet, or the first
    // one of a run, the identification 0, which the ICRC covers.
    int whole =
        ipv4
            ? calls.setOption(socket, Messages.IPPROTO_IP, IP_MTU_DISCOVER, NEVER_FRAGMENT)
            : calls.setOption(socket, Messages.IPPROTO_IPV6, IPV6_MTU_DISCOVER, NEVER_FRAGMENT);
    if (whole < 0) {
      return whole;
    }
    MemorySegment name = arena.allocate(Messages.nameBytes(ipv4), Long.BYTES);
    Messages.putName(name, 0, ipv4, Udp.ROCE_PORT);
    byte[] bytes = address.getAddress();
    MemorySegment.copy(bytes, 0, name, JAVA_BYTE, Messages.addressAt(ipv4), bytes.length);
    return calls.bind(socket, name);
  }

  @Override
  public Gid gid() {
    return gid;
  }

  @Override
  public int receiveBufferBytes() {
    return receiveBuffer;
  }

  @Override
  public int longestRun() {
    return longestRun;
  }

  /** The socket, for tests that set its options. */
  int descriptor() {
    return socket;
  }

  // ---- sending

  @Override
  public void send(Outgoing packets) throws IOException {
    while (!packets.isEmpty()) {
      int sent = calls.sendmmsg(socket, out.all(), describe(packets), 0);
      if (sent > 0) {
        for (int i = 0; i < sent; i++) {
          packets.sent(runs[i]);
        }
      } else if (sent == -SocketCalls.EAGAIN) {
        return;
      } else if (sent == -SocketCalls.EINTR) {
        continue;
      } else if (runs[0] > 1) {
        // The kernel may have refused only the segmentation, and each packet needs its own result.
        packets.split();
      } else {
        throw new IOException(SocketCalls.text(-sent));
      }
    }
  }

  /** Makes a message of each run, and returns their number. */
  private int describe(Outgoing packets) {
    ByteBuffer buffer = packets.buffer();
    if (packets != outgoing) {
      outgoing = packets;
      outgoingAt = MemorySegment.ofBuffer(buffer.duplicate().clear()).address();
    }
    int packet = packets.next();
    int count = 0;
    for (int run = packets.run(packet); run > 0; run = packets.run(packet)) {
      out.pieces(count, packet, run);
      out.address(count, buffer, Outgoing.ipAt(packet) + destinationAt, Udp.ROCE_PORT);
      out.prepare(
          count,
          run > 1 ? packets.bytes(packet) : 0,
          WireFormat.trafficClass(buffer, Outgoing.ipAt(packet), ipv4));
      runs[count++] = run;
      for (int end = packet + run; packet < end; packet++) {
        out.piece(packet, outgoingAt + Outgoing.ipAt(packet) + payloadAt, packets.bytes(packet));
      }
    }
    return count;
  }

  // ---- receiving

  @Override
  public boolean receive(Incoming packets) {
    if (packets != incoming) {
      incoming = packets;
      long at = MemorySegment.ofBuffer(packets.buffer().duplicate().clear()).address();
      for (int i = 0; i < Incoming.ROWS; i++) {
        in.piece(i, at + Incoming.rowAt(i), Incoming.ROW_BYTES);
        in.pieces(i, i, 1);
      }
    }
    int received = calls.recvmmsg(socket, in.all(), Incoming.ROWS, 0);
    for (int i = 0; i < received; i++) {
      packets.add(sender(i), in.bytes(i), in.datagramBytes(i), in.trafficClass(i));
      in.reset(i);
    }
    return received == Incoming.ROWS;
  }

  private Sender sender(int message) {
    long high = in.gidHigh(message);
    long low = in.gidLow(message);
    int port = in.port(message);
    int place = Long.hashCode(high ^ low) + port & SENDERS - 1;
    Sender known = senders[place];
    if (known.gidLow() != low || known.gidHigh() != high || known.port() != port) {
      known = new Sender(high, low, port);
      senders[place] = known;
    }
    return known;
  }

  // ---- rest

  @Override
  public void sleep(long nanos) {
    timeout.set(JAVA_LONG, 0, TimeUnit.NANOSECONDS.toSeconds(nanos));
    timeout.set(JAVA_LONG, Long.BYTES, nanos % TimeUnit.SECONDS.toNanos(1));
    if (sleeperCalls.ppoll(polled, 2, timeout) > 0) {
      int unused = sleeperCalls.takeSignal(event, signals);
    }
  }

  @Override
  public synchronized void wake(Thread sleeper) {
    if (!closed) {
      int unused = SocketCalls.signal(event);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      int unused = SocketCalls.close(socket) + SocketCalls.close(event);
      // The engine may send once more, when another file may already have this descriptor.
      socket = -1;
    }
  }
}
