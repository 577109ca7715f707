package dev.bluebell.uverbs.qp;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.command.Ads;
import dev.bluebell.hca.command.View;
import dev.bluebell.uverbs.abi.AbiView;
import dev.bluebell.uverbs.abi.structure.QpDest;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;

/**
 * The way to the peer of a queue pair: as programs give it, and as the device takes it. Mirrors
 * {@code mlx5_ib qp.c: mlx5_set_path, to_rdma_ah_attr}.
 */
final class QpPath {
  private QpPath() {}

  /**
   * Completes the path of a queue pair to itself. libmlx5 connects the queue pair that changes a
   * list of tags by LID alone, which a kernel refuses on Ethernet: there, only programs that
   * connect one by themselves can match tags.
   */
  static void addressSelf(Hca hca, int port, AbiView destination) {
    if (!destination.isSet(QpDest.IS_GLOBAL)) {
      destination
          .set(QpDest.IS_GLOBAL, true)
          .set(QpDest.SGID_INDEX, 0)
          .setBytes(QpDest.DGID, hca.queryGid(port, 0).bytes());
    }
  }

  /** Writes the path to a destination into the context of a queue pair. */
  static void set(Hca hca, View path, int port, AbiView destination) {
    Refusal.require(
        destination.isSet(QpDest.IS_GLOBAL),
        Errno.EINVAL,
        "a path on Ethernet needs is_global and a destination GID");
    int sourceIndex = destination.getInt(QpDest.SGID_INDEX);
    byte[] gid = destination.getBytes(QpDest.DGID);
    int hopLimit = destination.getInt(QpDest.HOP_LIMIT);
    int trafficClass = destination.getInt(QpDest.TRAFFIC_CLASS);
    HcaPath way = hca.resolve(port, sourceIndex, Gid.of(gid));
    path.set(Ads.GRH, true)
        .set(Ads.SRC_ADDR_INDEX, sourceIndex)
        .setBytes(Ads.RGID_RIP, gid)
        .set(Ads.RMAC_47_32, way.mac() >>> 32)
        .set(Ads.RMAC_31_0, way.mac() & 0xffffffffL)
        .set(Ads.HOP_LIMIT, hopLimit == 0 ? way.hopLimit() : hopLimit)
        .set(Ads.UDP_SPORT, way.udpSourcePort())
        .set(Ads.FLOW_LABEL, destination.getInt(QpDest.FLOW_LABEL) & 0xfffff)
        .set(Ads.TCLASS, trafficClass)
        .set(Ads.DSCP, trafficClass >>> 2)
        .set(Ads.ETH_PRIO, destination.getInt(QpDest.SL) & 7);
  }

  /** The destination of a queue pair, from the path in its context. */
  static void get(View path, AbiView destination) {
    destination
        .setBytes(QpDest.DGID, path.getBytes(Ads.RGID_RIP))
        .set(QpDest.FLOW_LABEL, path.getInt(Ads.FLOW_LABEL))
        .set(QpDest.SGID_INDEX, path.getInt(Ads.SRC_ADDR_INDEX))
        .set(QpDest.HOP_LIMIT, path.getInt(Ads.HOP_LIMIT))
        .set(QpDest.TRAFFIC_CLASS, path.getInt(Ads.TCLASS))
        .set(QpDest.SL, path.getInt(Ads.ETH_PRIO))
        .set(QpDest.IS_GLOBAL, path.isSet(Ads.GRH))
        .set(QpDest.PORT_NUM, path.getInt(Ads.VHCA_PORT_NUM));
  }
}
