package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * The device's port as senders and receivers of packets see it. Its addresses never change while
 * queue pairs use them.
 */
public interface Station {
  /** An entry of the GID table; {@link Gid#ZERO} for one that is empty or does not exist. */
  Gid gid(int index);

  /** Code of the largest path MTU that the link carries, as in {@code mtu} of a context. */
  int mtuCode();

  /**
   * An entry of the partition key table, 16 bits; 0 for one that is empty or does not exist. RoCE
   * has the default partition alone.
   */
  int partitionKey(int index);

  /** True when it also accepts address vectors of 16 bytes, which have no GID. */
  boolean takesCompactVectors();

  /** The path that the address path of a context names; the caller has checked its fields. */
  Path path(View addressPath);

  /**
   * The path that an address vector in the device's own memory names; null when {@link #whyNoPath}
   * says why it names none.
   */
  @Nullable Path path(long addressVector);

  /** Says why an address vector names no path. */
  String whyNoPath(long addressVector);

  /**
   * The way back to the sender of a request.
   *
   * @param gidIndex entry of the GID table that the answering end uses
   */
  Path back(Packet request, int gidIndex);

  /**
   * Says why the port does not deliver a packet to an end that listens at an entry of the GID
   * table; empty when it does.
   *
   * @param self name of that end
   */
  String whyNotFor(Packet request, int gidIndex, String self);

  /**
   * Writes the network header in front of a datagram.
   *
   * @param at address of 40 bytes of the device's own
   * @param strict true to let undefined bytes look like the beginning of another header
   * @return flags_rqpn, slid and ml_path of its completion, see {@link
   *     dev.bluebell.softnic.packet.Origin}
   */
  long header(long at, Packet datagram, boolean strict);
}
