package dev.bluebell.connect.cm;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.QpAttr;
import dev.bluebell.hca.uverbs.PdAbi.AhAttr;
import dev.bluebell.hca.uverbs.PdAbi.GlobalRoute;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;

/**
 * The connection parameters of a queue pair on which the connection managers of both sides agree.
 */
final class Agreement {
  // ib_verbs.h: ib_qp_state.
  private static final int READY_TO_RECEIVE = 2;
  private static final int READY_TO_SEND = 3;

  private Agreement() {}

  /**
   * Checks that options do not ask for another path than the connection manager's.
   *
   * @throws IllegalArgumentException when they do
   */
  static void requireOptions(ConnectOptions options) {
    if (options.pathMtu() != 0
        || options.trafficClass() != 0
        || options.serviceLevel() != 0
        || options.globalRoute()) {
      throw new IllegalArgumentException(
          "RDMA CM chooses the path of a connection: leave pathMtu, trafficClass, serviceLevel and globalRoute at their defaults, not %s"
              .formatted(options));
    }
  }

  /** The parameters of a request. */
  static View request(Device device, RcQueuePair queuePair, ConnectOptions options, byte[] data) {
    return CmFile.parameters(data)
        .set(ConnParam.QP_NUM, queuePair.number())
        .set(ConnParam.RESPONDER_RESOURCES, queuePair.endpoint().responderResources())
        .set(ConnParam.INITIATOR_DEPTH, reads(device, options))
        .set(ConnParam.RETRY_COUNT, options.retryCount())
        .set(ConnParam.RNR_RETRY_COUNT, options.rnrRetry());
  }

  private static int reads(Device device, ConnectOptions options) {
    return Math.min(options.maxReads(), device.attributes().maxReads());
  }

  /** The parameters of the answer to a request; they never exceed those of the request. */
  static View answer(
      CmEvent request, Device device, RcQueuePair queuePair, ConnectOptions options, byte[] data) {
    View asked = request.parameters();
    int served =
        Math.min(
            queuePair.endpoint().responderResources(), asked.getInt(ConnParam.RESPONDER_RESOURCES));
    return request(device, queuePair, options, data)
        .set(ConnParam.RESPONDER_RESOURCES, served)
        .set(
            ConnParam.INITIATOR_DEPTH,
            Math.min(reads(device, options), asked.getInt(ConnParam.INITIATOR_DEPTH)));
  }

  /**
   * Connects a queue pair as the connection manager has agreed with the peer.
   *
   * @throws ConnectionException when the path of the connection is another device's
   */
  static void connect(CmId id, Device device, RcQueuePair queuePair, ConnectOptions options)
      throws IOException {
    View receiving = id.file().attributes(id.number(), READY_TO_RECEIVE);
    View sending = id.file().attributes(id.number(), READY_TO_SEND);
    CmFile.Gids gids = id.file().gids(id.number());
    View way = receiving.at(QpAttr.AH_ATTR);
    View route = way.at(AhAttr.GRH);
    boolean isGlobal = way.isSet(AhAttr.IS_GLOBAL);
    int gidIndex = isGlobal ? route.getInt(GlobalRoute.SGID_INDEX) : 0;
    requireOwn(device, way.getInt(AhAttr.PORT_NUM), gidIndex, gids.source());
    int mtu = PathMtu.bytes(receiving.getInt(QpAttr.PATH_MTU));
    QueuePairEndpoint peer =
        new QueuePairEndpoint(
            isGlobal ? Gid.of(route.getBytes(GlobalRoute.DGID)) : gids.destination(),
            way.getInt(AhAttr.DLID),
            receiving.getInt(QpAttr.DEST_QP_NUM),
            receiving.getInt(QpAttr.RQ_PSN),
            mtu,
            sending.getInt(QpAttr.MAX_RD_ATOMIC));
    ConnectOptions agreed =
        options
            .withPathMtu(mtu)
            .withTrafficClass(route.getInt(GlobalRoute.TRAFFIC_CLASS))
            .withServiceLevel(way.getInt(AhAttr.SL))
            .withGlobalRoute(isGlobal)
            .withRetryCount(sending.getInt(QpAttr.RETRY_CNT))
            .withRnrRetry(sending.getInt(QpAttr.RNR_RETRY));
    queuePair.connect(peer, agreed, gidIndex, sending.getInt(QpAttr.SQ_PSN));
  }

  private static void requireOwn(Device device, int port, int gidIndex, Gid source)
      throws ConnectionException {
    Gid own = device.gid(port, gidIndex);
    if (!own.equals(source)) {
      throw new ConnectionException(
          "the address belongs to another device, with GID %s, and %s has GID %s in entry %d: open that device, or use an address of this one"
              .formatted(source, device.name(), own, gidIndex));
    }
  }
}
