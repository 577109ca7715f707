package dev.bluebell.softnic.rig;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.AddressVector;

/**
 * The path to a peer over InfiniBand, for address paths and address vectors.
 *
 * @param lid local identifier of the peer
 * @param pathBits low bits of the local identifier to send from
 * @param serviceLevel 0 … 15
 * @param global true for a global route
 * @param gidIndex of a global route: entry of the GID table
 * @param gid of a global route: the peer's GID
 */
public record InfiniBandWay(
    int lid, int pathBits, int serviceLevel, boolean global, int gidIndex, Gid gid) {
  private static final int STALE_LOW = 0x3fff_ffff;

  /** The path by local identifier only. */
  public static InfiniBandWay to(int lid) {
    return new InfiniBandWay(lid, 0, 0, false, 0, Gid.ZERO);
  }

  public InfiniBandWay from(int bits) {
    return new InfiniBandWay(lid, bits, serviceLevel, global, gidIndex, gid);
  }

  public InfiniBandWay level(int newLevel) {
    return new InfiniBandWay(lid, pathBits, newLevel, global, gidIndex, gid);
  }

  /** The same with a global route from entry 0 of the GID table. */
  public InfiniBandWay by(Gid newGid) {
    return new InfiniBandWay(lid, pathBits, serviceLevel, true, 0, newGid);
  }

  public InfiniBandWay source(int newIndex) {
    return new InfiniBandWay(lid, pathBits, serviceLevel, global, newIndex, gid);
  }

  /** Writes it into an address path. */
  void put(View path) {
    path.set(Ads.RLID, lid)
        .set(Ads.MLID, pathBits)
        .set(Ads.SL, serviceLevel)
        .set(Ads.GRH, global)
        .set(Ads.SRC_ADDR_INDEX, gidIndex)
        .setBytes(Ads.RGID_RIP, gid.bytes());
  }

  private long destinationWord(int number) {
    return AddressVector.infiniBandDestinationWord(number, serviceLevel, pathBits, lid);
  }

  /** A request with an address vector of 48 bytes. */
  public Wqe request(int opcode, long keyWord, int number) {
    return new Wqe(opcode)
        .words(keyWord, destinationWord(number))
        .words(0, global ? AddressVector.infiniBandRouteWord(0x6a, 63, gidIndex, 0x12345) : 0)
        .words(gid.high(), gid.low());
  }

  /** The same without a global route, whose place has old bytes of the ring. */
  public Wqe staleRequest(int opcode, long keyWord, int number) {
    return new Wqe(opcode)
        .words(keyWord, destinationWord(number))
        .words(-1, -1L << 32 | STALE_LOW)
        .words(-1, -1);
  }

  /** The same with an address vector of 16 bytes. */
  public Wqe compactRequest(int opcode, long keyWord, int number) {
    return new Wqe(opcode).words(keyWord, destinationWord(number) & ~AddressVector.EXT.place(1));
  }
}
