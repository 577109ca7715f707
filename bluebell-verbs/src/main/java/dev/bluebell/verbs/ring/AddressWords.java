package dev.bluebell.verbs.ring;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.verbs.PathOptions;

/**
 * An address vector as its words, so that a request only copies them. Mirrors {@code verbs.c:
 * mlx5_create_ah}.
 *
 * @param key queue key in the upper half, or access key
 * @param destination number, rates and local address
 * @param mac Ethernet address, upper part
 * @param route Ethernet address, lower part, and the network header's fields other than GIDs
 * @param gidHigh GID, bytes 0–7
 * @param gidLow GID, bytes 8–15
 */
public record AddressWords(
    long key, long destination, long mac, long route, long gidHigh, long gidLow) {

  /**
   * On RoCE, where every packet has a global route.
   *
   * @param key queue key in the upper half, or access key
   * @param number of the queue pair or target there, 24 bits
   * @param gid of its port
   * @param path to it
   * @param gidIndex entry of the port's GID table to send from, 8 bits
   */
  public static AddressWords roce(
      long key, int number, Gid gid, HcaPath path, int gidIndex, PathOptions options) {
    int label = options.flowLabel();
    int port =
        label != 0 && path.isUdp() ? AddressVector.udpSourcePort(label) : path.udpSourcePort();
    return new AddressWords(
        key,
        AddressVector.destinationWord(number, options.serviceLevel() << 1, port),
        AddressVector.rmacWord(path.mac()),
        AddressVector.routeWord(
            path.mac(), options.trafficClass(), path.hopLimit(), gidIndex, label),
        gid.high(),
        gid.low());
  }

  /**
   * On InfiniBand, within a subnet.
   *
   * @param key queue key in the upper half, or access key
   * @param number of the queue pair or target there, 24 bits
   * @param lid of its port, 16 bits
   * @param pathBits low bits of the LID to send from, 7 bits
   */
  public static AddressWords infiniBand(
      long key, int number, int lid, int pathBits, PathOptions options) {
    return new AddressWords(
        key,
        AddressVector.infiniBandDestinationWord(number, options.serviceLevel(), pathBits, lid),
        0,
        0,
        0,
        0);
  }

  /**
   * A copy with a global route on InfiniBand.
   *
   * @param gid of the port there
   * @param gidIndex entry of the port's GID table to send from, 8 bits
   * @param hopLimit 0 … 255
   */
  public AddressWords global(Gid gid, int gidIndex, int hopLimit, PathOptions options) {
    return new AddressWords(
        key,
        destination,
        0,
        AddressVector.infiniBandRouteWord(
            options.trafficClass(), hopLimit, gidIndex, options.flowLabel()),
        gid.high(),
        gid.low());
  }

  /** False when the vector ends behind its first 16 bytes, as InfiniBand allows. */
  boolean isExtended() {
    return AddressVector.isExtended(destination);
  }

  /** Writes the 48 bytes, or 16, which lie in one piece. */
  void write(long at) {
    Memory.putLong(at + AddressVector.KEY_WORD, key);
    Memory.putLong(at + AddressVector.DESTINATION_WORD, destination);
    if (!isExtended()) {
      return;
    }
    Memory.putLong(at + AddressVector.RMAC_WORD, mac);
    Memory.putLong(at + AddressVector.ROUTE_WORD, route);
    Memory.putLong(at + AddressVector.RGID_HIGH_WORD, gidHigh);
    Memory.putLong(at + AddressVector.RGID_LOW_WORD, gidLow);
  }
}
