package dev.bluebell.softnic;

import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.softnic.command.Port;

/**
 * The place of a device in its network.
 *
 * @param identity the number of which its Ethernet address, GUID, GIDs and first QPN are made, 1 …
 *     2^24 − 2; 0 for one that no other device here has
 * @param mtu largest path MTU that its link carries, in bytes: 256, 512, 1024, 2048 or 4096. A
 *     network of 1500 bytes carries 1024
 */
public record LinkOptions(int identity, int mtu) {
  /** A number of its own, and a link that carries all there is. */
  public static final LinkOptions DEFAULT = new LinkOptions(0, PathMtu.bytes(PathMtu.LARGEST));

  /**
   * @throws IllegalArgumentException when a value is none of those
   */
  public LinkOptions {
    if (identity < 0 || identity > Port.MAX_IDENTITY) {
      throw new IllegalArgumentException(
          "identity=%d of device soft: it is a number from 1 to %d"
              .formatted(identity, Port.MAX_IDENTITY));
    }
    int unused = PathMtu.code(mtu);
  }
}
