package dev.bluebell.softnic.fabric;

import dev.bluebell.hca.Gid;

/** The device's port as those know it who send packets. Never changes. */
public interface Station {
  /** An entry of the GID table; {@link Gid#ZERO} for one that is empty or does not exist. */
  Gid gid(int index);

  /** True when packets that leave from an entry of the GID table are of RoCE v1. */
  boolean isV1(int index);

  /** True when the port takes packets to an Ethernet address, 48 bits. */
  boolean takes(long mac);

  /** Ethernet address, 48 bits. */
  long mac();

  /** Says why nobody takes packets to an Ethernet address. */
  default String whyNotTaken(long mac) {
    return "no port takes packets to the destination MAC %012x (rmac of the address path); it is %012x"
        .formatted(mac, mac());
  }

  /** True when packets to a GID arrive at this port. */
  boolean isOwn(Gid gid);

  /** Code of the largest path MTU that the link carries, as in {@code mtu} of a context. */
  int mtuCode();
}
