package dev.bluebell.softnic.option;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.PathMtu;
import java.util.List;

/**
 * The place of a device in its network.
 *
 * @param layer Ethernet or InfiniBand
 * @param identity the number of which its Ethernet address or LID, its GUID, GIDs and first QPN are
 *     made, 1 … 2^24 − 2; 0 for one that no other device here has
 * @param mtu largest path MTU that its link carries, in bytes: 256, 512, 1024, 2048 or 4096. A
 *     network of 1500 bytes carries 1024
 * @param lmc InfiniBand: low bits of the LID that the port ignores, 0 … 7
 * @param partitionKeys InfiniBand: the first entries of the partition key table, 16 bits each, at
 *     most 128; others are empty
 */
public record LinkOptions(
    LinkLayer layer, int identity, int mtu, int lmc, List<Integer> partitionKeys) {
  /** Device numbers are 1 … 2^24 − 2: the others make a network's and its broadcast address. */
  public static final int MAX_IDENTITY = (1 << 24) - 2;

  /** Low bits of the LID that a port may ignore, at most. */
  public static final int MAX_LMC = 7;

  /** Entries of the partition key table of an InfiniBand port. */
  public static final int PARTITION_KEYS = 128;

  /** The key of a full member of the default partition. */
  public static final int DEFAULT_PARTITION_KEY = 0xffff;

  /** Ethernet, a number of its own, a link that carries all there is, and the default partition. */
  public static final LinkOptions DEFAULT =
      new LinkOptions(
          LinkLayer.ETHERNET, 0, PathMtu.bytes(PathMtu.LARGEST), 0, List.of(DEFAULT_PARTITION_KEY));

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException when a value is outside of its range, or set for the other
   *     link layer
   */
  public LinkOptions {
    partitionKeys = List.copyOf(partitionKeys);
    if (identity < 0 || identity > MAX_IDENTITY) {
      throw new IllegalArgumentException(
          "identity=%d of device soft: it is a number from 1 to %d"
              .formatted(identity, MAX_IDENTITY));
    }
    if (lmc < 0 || lmc > MAX_LMC) {
      throw new IllegalArgumentException(
          "lmc=%d of device soft: it is a number of bits from 0 to %d".formatted(lmc, MAX_LMC));
    }
    if (partitionKeys.isEmpty()
        || partitionKeys.size() > PARTITION_KEYS
        || partitionKeys.stream().anyMatch(key -> key >>> 16 != 0)) {
      throw new IllegalArgumentException(
          "pkeys=%s of device soft: the partition key table has 1 to %d keys of 16 bits"
              .formatted(text(partitionKeys), PARTITION_KEYS));
    }
    int unused = PathMtu.code(mtu);
  }

  /**
   * Checks that nothing is set that only InfiniBand has.
   *
   * @throws IllegalArgumentException when something is, and the link layer is Ethernet
   */
  void requireFitting() {
    if (layer == LinkLayer.ETHERNET && (lmc != 0 || !partitionKeys.equals(DEFAULT.partitionKeys))) {
      throw new IllegalArgumentException(
          "lmc and pkeys of device soft are options of an InfiniBand port: add link=infiniband");
    }
  }

  private static String text(List<Integer> keys) {
    return String.join("+", keys.stream().map("0x%04x"::formatted).toList());
  }

  LinkOptions withLayer(LinkLayer newLayer) {
    return new LinkOptions(newLayer, identity, mtu, lmc, partitionKeys);
  }

  LinkOptions withIdentity(int newIdentity) {
    return new LinkOptions(layer, newIdentity, mtu, lmc, partitionKeys);
  }

  LinkOptions withMtu(int bytes) {
    return new LinkOptions(layer, identity, bytes, lmc, partitionKeys);
  }

  LinkOptions withLmc(int bits) {
    return new LinkOptions(layer, identity, mtu, bits, partitionKeys);
  }

  LinkOptions withPartitionKeys(List<Integer> keys) {
    return new LinkOptions(layer, identity, mtu, lmc, keys);
  }
}
