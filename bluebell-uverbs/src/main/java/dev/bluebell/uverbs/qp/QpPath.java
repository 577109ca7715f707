package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.QpAbi.QpDest;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.session.VportContext;
import java.util.Map;

/**
 * The path to a queue pair's peer, converted between the client's and the device's format. Mirrors
 * {@code mlx5_ib qp.c: mlx5_set_path, to_rdma_ah_attr}.
 */
final class QpPath {
  /** The largest of {@code ib_verbs.h: ib_rate}. */
  private static final int MOST_RATE = 21;

  /** Codes of rates in an address path, {@code mlx5_ib qp.c: ib_to_mlx5_rate_map}. */
  private static final Map<Integer, Integer> RATES = Map.of(15, 2, 16, 3, 17, 4, 18, 5);

  private QpPath() {}

  /**
   * Completes the path of a queue pair to itself. libmlx5 connects the queue pair that changes a
   * tag list by LID only, which the kernel refuses on Ethernet: there, clients can match tags only
   * with a queue pair that they connected themselves.
   */
  static void addressSelf(Hca hca, View destination) {
    if (!destination.isSet(QpDest.IS_GLOBAL) && !VportContext.isInfiniBand(hca)) {
      destination
          .set(QpDest.IS_GLOBAL, true)
          .set(QpDest.SGID_INDEX, 0)
          .setBytes(QpDest.DGID, hca.queryGid(VportContext.PORT, 0).bytes());
    }
  }

  /** Writes the path to a destination into the context of a queue pair. */
  static void set(Hca hca, View path, View destination) {
    if (VportContext.isInfiniBand(hca)) {
      setLocal(hca, path, destination);
      return;
    }
    Refusal.require(
        destination.isSet(QpDest.IS_GLOBAL),
        Errno.EINVAL,
        "a path on Ethernet needs is_global and a destination GID, not a LID alone");
    int sourceIndex = destination.getInt(QpDest.SGID_INDEX);
    int trafficClass = destination.getInt(QpDest.TRAFFIC_CLASS);
    HcaPath way =
        hca.resolve(VportContext.PORT, sourceIndex, Gid.of(destination.getBytes(QpDest.DGID)));
    setRoute(path, destination);
    path.set(Ads.RMAC_47_32, way.mac() >>> 32)
        .set(Ads.RMAC_31_0, way.mac() & 0xffffffffL)
        .set(Ads.UDP_SPORT, way.udpSourcePort())
        .set(Ads.DSCP, trafficClass >>> 2)
        .set(Ads.ETH_PRIO, destination.getInt(QpDest.SL) & 7);
    if (!destination.isSet(QpDest.HOP_LIMIT)) {
      path.set(Ads.HOP_LIMIT, way.hopLimit());
    }
  }

  private static void setRoute(View path, View destination) {
    path.set(Ads.GRH, true)
        .set(Ads.SRC_ADDR_INDEX, destination.getInt(QpDest.SGID_INDEX))
        .setBytes(Ads.RGID_RIP, destination.getBytes(QpDest.DGID))
        .set(Ads.HOP_LIMIT, destination.getInt(QpDest.HOP_LIMIT))
        .set(Ads.FLOW_LABEL, destination.getInt(QpDest.FLOW_LABEL) & 0xfffff)
        .set(Ads.TCLASS, destination.getInt(QpDest.TRAFFIC_CLASS));
  }

  /** The kernel does not check the LID: requests to an unassigned LID fail. */
  private static void setLocal(Hca hca, View path, View destination) {
    int rate = destination.getInt(QpDest.STATIC_RATE);
    Refusal.require(
        rate <= MOST_RATE, Errno.EINVAL, "static_rate %d is not a rate of ib_rate", rate);
    path.set(Ads.RLID, destination.getInt(QpDest.DLID))
        .set(Ads.MLID, destination.getInt(QpDest.SRC_PATH_BITS) & 0x7f)
        .set(Ads.SL, destination.getInt(QpDest.SL) & 0xf)
        .set(Ads.STAT_RATE, RATES.getOrDefault(rate, 0));
    if (destination.isSet(QpDest.IS_GLOBAL)) {
      int sourceIndex = destination.getInt(QpDest.SGID_INDEX);
      Refusal.require(
          sourceIndex < hca.queryPort(VportContext.PORT).gidTableLength()
              && !hca.queryGid(VportContext.PORT, sourceIndex).equals(Gid.ZERO),
          Errno.EINVAL,
          "entry %d of the GID table is empty or does not exist (sgid_index)",
          sourceIndex);
      setRoute(path, destination);
    }
  }

  /** The destination of a queue pair, from the path in its context. */
  static void get(View path, View destination) {
    destination
        .setBytes(QpDest.DGID, path.getBytes(Ads.RGID_RIP))
        .set(QpDest.FLOW_LABEL, path.getInt(Ads.FLOW_LABEL))
        .set(QpDest.SGID_INDEX, path.getInt(Ads.SRC_ADDR_INDEX))
        .set(QpDest.HOP_LIMIT, path.getInt(Ads.HOP_LIMIT))
        .set(QpDest.TRAFFIC_CLASS, path.getInt(Ads.TCLASS))
        .set(QpDest.SL, path.getInt(Ads.ETH_PRIO) | path.getInt(Ads.SL))
        .set(QpDest.DLID, path.getInt(Ads.RLID))
        .set(QpDest.SRC_PATH_BITS, path.getInt(Ads.MLID))
        .set(QpDest.IS_GLOBAL, path.isSet(Ads.GRH))
        .set(QpDest.PORT_NUM, path.getInt(Ads.VHCA_PORT_NUM));
  }
}
