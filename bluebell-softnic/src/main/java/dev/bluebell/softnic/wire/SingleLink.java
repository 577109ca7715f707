package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.softnic.port.Gids;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A link through a channel of the JDK, which carries one datagram at a time. */
abstract class SingleLink implements Link {
  /** Requested buffer size; the kernel may grant less. */
  private static final int BUFFER_BYTES = 4 << 20;

  /** Most datagrams that are examined in a row. */
  private static final int MOST_EXAMINED = 64;

  final DatagramChannel channel;
  final Gid gid;
  final boolean ipv4;
  private final Selector selector;
  private final int receiveBuffer;

  /**
   * @param channel closed with the link
   * @param address the device's own
   */
  SingleLink(DatagramChannel channel, InetAddress address) throws IOException {
    this.channel = channel;
    gid = Gids.of(address);
    ipv4 = gid.isIpv4();
    selector = Selector.open();
    SelectionKey unused = channel.register(selector, SelectionKey.OP_READ);
    receiveBuffer = channel.getOption(StandardSocketOptions.SO_RCVBUF);
  }

  /** Sets the options of a channel that all links need. */
  static void configure(DatagramChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
    channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
  }

  static void close(@Nullable DatagramChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Sends a packet.
   *
   * @param packet with the UDP payload between position and limit, and IP and UDP header before it
   * @return false when there is no room for it now
   * @throws IOException when the network refuses it
   */
  abstract boolean send(ByteBuffer packet, InetSocketAddress destination) throws IOException;

  /**
   * Receives the next datagram, and adds it if it is a packet for the device.
   *
   * @param packets have room for one more; it is truncated to that
   * @return false when no datagram has arrived
   */
  abstract boolean receiveNext(Incoming packets);

  @Override
  public final Gid gid() {
    return gid;
  }

  @Override
  public final int receiveBufferBytes() {
    return receiveBuffer;
  }

  @Override
  public final int longestRun() {
    return 1;
  }

  @Override
  public final void send(Outgoing packets) throws IOException {
    while (!packets.isEmpty() && send(packets.first(), packets.destination())) {
      packets.sent(1);
    }
  }

  @Override
  public final boolean receive(Incoming packets) {
    for (int i = 0; i < MOST_EXAMINED && !packets.isFull(); i++) {
      if (!receiveNext(packets)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public final void sleep(long nanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (millis == 0) {
      // A selector can't wait for less than 1 ms. A datagram is noticed after the sleep.
      LockSupport.parkNanos(this, nanos);
      return;
    }
    try {
      int unused = selector.select(millis);
      selector.selectedKeys().clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public final void wake(Thread sleeper) {
    LockSupport.unpark(sleeper);
    Selector unused = selector.wakeup();
  }

  @Override
  public final void close() {
    try {
      selector.close();
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
