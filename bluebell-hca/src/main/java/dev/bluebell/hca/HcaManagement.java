package dev.bluebell.hca;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Queue pair 1 of a software device on a network: it exchanges the datagrams of communication
 * managers. Datagrams may be lost, duplicated and reordered, and they are not authenticated: only
 * the length, the queue key and the ICRC of received ones were checked. Any thread may call any
 * method.
 */
public interface HcaManagement {

  /**
   * A datagram.
   *
   * @param peer GID of the other device
   * @param qpn its queue pair, usually 1
   * @param mad 256 bytes
   */
  record Datagram(Gid peer, int qpn, byte[] mad) {}

  /** The GID of this device's address on the network. */
  Gid gid();

  /**
   * Sends a datagram; never waits.
   *
   * @return false when the device has no room for it and dropped it
   */
  boolean send(Datagram datagram);

  /** Adds a line to the object table; the supplier is called whenever the table is read. */
  void show(Supplier<String> line);

  /** Waits for the next datagram; null when the device is closed. */
  @Nullable Datagram receive() throws InterruptedException;
}
