package dev.bluebell.verbs.object;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.verbs.GidType;

/** Types of the entries of a port's GID table. */
public final class GidTable {
  /** In place of an index: the default entry. */
  public static final int USUAL = -1;

  private GidTable() {}

  /** Type of an entry that is not empty. */
  public static GidType type(Hca hca, int port, int index) {
    if (isInfiniBand(hca, port)) {
      return GidType.INFINIBAND;
    }
    return hca.isRoceV2(port, index) ? GidType.ROCE_V2 : GidType.ROCE_V1;
  }

  private static boolean isInfiniBand(Hca hca, int port) {
    return hca.queryPort(port).linkLayer() == LinkLayer.INFINIBAND;
  }

  /**
   * The default entry: on Ethernet, the first of RoCE v2 with IPv4, or else the first of RoCE v2,
   * or else 0; on InfiniBand 0.
   *
   * @throws IllegalStateException when an Ethernet port has no table
   */
  public static int usual(Hca hca, int port) {
    if (isInfiniBand(hca, port)) {
      return 0;
    }
    int found = 0;
    boolean ofV2 = false;
    int length = hca.queryPort(port).gidTableLength();
    if (length == 0) {
      throw new IllegalStateException(
          "port %d of device %s has no GIDs: RoCE is switched off there (devlink dev param show lists enable_roce)"
              .formatted(port, hca.name()));
    }
    for (int index = 0; index < length; index++) {
      Gid gid = hca.queryGid(port, index);
      if (!gid.equals(Gid.ZERO) && hca.isRoceV2(port, index)) {
        if (gid.isIpv4()) {
          return index;
        }
        found = ofV2 ? found : index;
        ofV2 = true;
      }
    }
    return found;
  }

  /**
   * The first entry with a GID and a type.
   *
   * @param type of the entry
   * @param otherwise the index when there is none
   */
  public static int of(Hca hca, int port, Gid gid, GidType type, int otherwise) {
    int length = hca.queryPort(port).gidTableLength();
    for (int index = 0; index < length; index++) {
      if (hca.queryGid(port, index).equals(gid) && type(hca, port, index) == type) {
        return index;
      }
    }
    return otherwise;
  }
}
