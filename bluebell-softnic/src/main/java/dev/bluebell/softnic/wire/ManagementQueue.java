package dev.bluebell.softnic.wire;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaManagement;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.PartitionKey;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The datagrams of queue pair 1 between a device and the communication manager of its process. Both
 * directions are bounded, and lose datagrams when they are full. Thread-safe, except for the
 * methods that say otherwise.
 */
public final class ManagementQueue implements HcaManagement {
  private static final int MOST = 256;

  private final Gid own;
  private final AtomicReference<@Nullable Runnable> waker = new AtomicReference<>();
  private volatile boolean closed;
  private volatile @Nullable Supplier<String> shown;

  // An empty element marks the end of the device; there is always room for it.
  private final BlockingQueue<Optional<Datagram>> arrived = new ArrayBlockingQueue<>(MOST + 1);
  private final BlockingQueue<Datagram> outgoing = new ArrayBlockingQueue<>(MOST);

  private final ByteBuffer mad = ByteBuffer.allocateDirect(CmMad.BYTES);
  private final long address = MemorySegment.ofBuffer(mad).address();
  private final Packet packet = new Packet();

  ManagementQueue(Gid own) {
    this.own = own;
  }

  /**
   * Connects a communication manager; empty when one is connected already.
   *
   * @param waking lets the device look for datagrams to send
   */
  public Optional<HcaManagement> open(Runnable waking) {
    return waker.compareAndSet(null, waking) ? Optional.of(this) : Optional.empty();
  }

  /** True when a communication manager is connected. */
  boolean isOpen() {
    return waker.get() != null;
  }

  @Override
  public Gid gid() {
    return own;
  }

  @Override
  public boolean send(Datagram datagram) {
    boolean hasRoom = outgoing.offer(datagram);
    Objects.requireNonNull(waker.get()).run();
    return hasRoom;
  }

  @Override
  public @Nullable Datagram receive() throws InterruptedException {
    return closed ? null : arrived.take().orElse(null);
  }

  @Override
  public void show(Supplier<String> line) {
    shown = line;
  }

  /** The line that the communication manager shows about itself. */
  Optional<String> line() {
    return Optional.ofNullable(shown).map(Supplier::get);
  }

  void close() {
    closed = true;
    boolean unused = arrived.offer(Optional.empty());
  }

  // ---- the device's side

  /** True when there is nothing to send. */
  boolean isEmpty() {
    return outgoing.isEmpty();
  }

  /** The next datagram to send, which stays until it is {@link #sent}; null when there is none. */
  @Nullable Datagram next() {
    return outgoing.peek();
  }

  /** The next datagram was sent. */
  void sent() {
    Datagram unused = outgoing.remove();
  }

  /**
   * True for a datagram of the communication manager, whatever its content (owner of the engine).
   */
  static boolean isManagement(Packet received) {
    return received.opcode == (BthOpcode.UD | BthOpcode.SEND_ONLY)
        && received.destinationQpn == CmMad.QPN
        && received.qkey == CmMad.QUEUE_KEY
        && PartitionKey.match(received.partitionKey, PartitionKey.DEFAULT)
        && received.payloadBytes == CmMad.BYTES;
  }

  /**
   * Takes a datagram, one of those that {@link #isManagement} is true for (owner of the engine).
   *
   * @return false when there is no room
   */
  boolean take(Packet received) {
    if (arrived.size() >= MOST) {
      return false;
    }
    received.payload.copyTo(address, CmMad.BYTES);
    byte[] bytes = new byte[CmMad.BYTES];
    mad.get(0, bytes);
    Gid peer = new Gid(received.sourceGidHigh, received.sourceGidLow);
    return arrived.offer(Optional.of(new Datagram(peer, received.sourceQpn, bytes)));
  }

  /** A packet that carries a datagram, valid until the next call (owner of the engine). */
  Packet packet(Datagram datagram) {
    mad.put(0, datagram.mad());
    packet.opcode = BthOpcode.UD | BthOpcode.SEND_ONLY;
    packet.partitionKey = PartitionKey.DEFAULT;
    packet.destinationQpn = datagram.qpn();
    packet.sourceQpn = CmMad.QPN;
    packet.psn = packet.psn + 1 & 0xffffff;
    packet.qkey = CmMad.QUEUE_KEY;
    packet.packets = 1;
    packet.global = true;
    packet.sourceGidHigh = own.high();
    packet.sourceGidLow = own.low();
    packet.destinationGidHigh = datagram.peer().high();
    packet.destinationGidLow = datagram.peer().low();
    packet.payload.clear();
    packet.payload.add(address, CmMad.BYTES);
    packet.payloadBytes = CmMad.BYTES;
    return packet;
  }
}
