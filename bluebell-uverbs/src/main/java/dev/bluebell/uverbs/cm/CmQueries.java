package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.InitQpAttr;
import dev.bluebell.hca.uverbs.CmAbi.PathRecData;
import dev.bluebell.hca.uverbs.CmAbi.QpAttr;
import dev.bluebell.hca.uverbs.CmAbi.Query;
import dev.bluebell.hca.uverbs.CmAbi.QueryAddrResp;
import dev.bluebell.hca.uverbs.CmAbi.QueryPathResp;
import dev.bluebell.hca.uverbs.CmAbi.QueryRouteResp;
import dev.bluebell.hca.uverbs.CmAbi.UserPathRec;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.qp.QpMask;
import dev.bluebell.uverbs.qp.QpStates;
import dev.bluebell.uverbs.session.VportContext;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The commands that query an id. Mirrors {@code ucma.c}. */
final class CmQueries {

  /** {@code ib_user_sa.h: IB_PATH_GMP, IB_PATH_PRIMARY, IB_PATH_BIDIRECTIONAL}. */
  static final int PATH_FLAGS = 1 | 1 << 1 | 1 << 3 | 1 << 5;

  private CmQueries() {}

  static void route(CmCall call) {
    call.requireRoom(QueryRouteResp.IBDEV_INDEX.offset());
    View output = call.with(Query.ID, CmQueries::route);
    call.reply(Query.RESPONSE, output);
  }

  private static View route(CmId id) {
    CmAddressing addressing = id.addressing();
    CmAddress source = addressing.source();
    CmAddress destination = addressing.destination();
    View output = View.of(QueryRouteResp.STRUCTURE);
    output
        .setBytes(QueryRouteResp.SRC_ADDR, source.bytes(QueryRouteResp.SRC_ADDR.bytes()))
        .setBytes(QueryRouteResp.DST_ADDR, destination.bytes(QueryRouteResp.DST_ADDR.bytes()));
    if (!addressing.hasDevice()) {
      return output;
    }
    CmPort port = id.file().port();
    output
        .set(QueryRouteResp.NODE_GUID, port.guid())
        .set(QueryRouteResp.PORT_NUM, VportContext.PORT);
    @Nullable CmPath path = addressing.path();
    View record =
        path == null
            ? View.of(UserPathRec.STRUCTURE)
                .setBytes(UserPathRec.SGID, addressing.gid(port, source).bytes())
                .setBytes(UserPathRec.DGID, addressing.gid(port, destination).bytes())
                .set(UserPathRec.PKEY, CmPath.PARTITION)
            : path.forUser();
    byte[] routes = Arrays.copyOf(record.bytes(), QueryRouteResp.IB_ROUTE.bytes());
    return output
        .setBytes(QueryRouteResp.IB_ROUTE, routes)
        .set(QueryRouteResp.NUM_PATHS, path == null ? 0 : 1);
  }

  static void query(CmCall call) {
    int option = call.get(Query.OPTION);
    switch (option) {
      case RdmaCm.USER_CM_QUERY_ADDR -> {
        call.requireRoom(QueryAddrResp.IBDEV_INDEX.offset());
        answer(call, CmQueries::addresses);
      }
      case RdmaCm.USER_CM_QUERY_GID -> {
        call.requireRoom(QueryAddrResp.IBDEV_INDEX.offset());
        answer(call, CmQueries::gids);
      }
      case RdmaCm.USER_CM_QUERY_PATH -> {
        call.requireRoom(QueryPathResp.STRUCTURE.bytes());
        answer(call, id -> paths(id, call.room()));
      }
      default -> throw new Refusal(Errno.ENOSYS, "query %d is unknown".formatted(option));
    }
  }

  private static void answer(CmCall call, Function<CmId, View> question) {
    call.reply(Query.RESPONSE, call.with(Query.ID, question));
  }

  private static View device(CmId id) {
    View output = View.of(QueryAddrResp.STRUCTURE);
    return id.addressing().hasDevice()
        ? output
            .set(QueryAddrResp.NODE_GUID, id.file().port().guid())
            .set(QueryAddrResp.PORT_NUM, VportContext.PORT)
            .set(QueryAddrResp.PKEY, CmPath.PARTITION)
        : output;
  }

  private static View addresses(CmId id) {
    CmAddressing addressing = id.addressing();
    return set(device(id), addressing.source(), addressing.destination());
  }

  private static View set(View output, CmAddress source, CmAddress destination) {
    return output
        .set(QueryAddrResp.SRC_SIZE, source.size())
        .setBytes(QueryAddrResp.SRC_ADDR, source.bytes(QueryAddrResp.SRC_ADDR.bytes()))
        .set(QueryAddrResp.DST_SIZE, destination.size())
        .setBytes(QueryAddrResp.DST_ADDR, destination.bytes(QueryAddrResp.DST_ADDR.bytes()));
  }

  private static View gids(CmId id) {
    CmAddressing addressing = id.addressing();
    CmPort port = id.file().port();
    return set(
        device(id),
        gid(addressing, port, addressing.source()),
        gid(addressing, port, addressing.destination()));
  }

  // cma.c: rdma_get_service_id.
  private static CmAddress gid(CmAddressing addressing, CmPort port, CmAddress address) {
    if (address.isIb()) {
      return address;
    }
    int partition = addressing.hasDevice() ? CmPath.PARTITION : 0;
    Gid gid = addressing.hasDevice() ? addressing.gid(port, address) : Gid.ZERO;
    int number = address.family() == 0 ? 0 : address.port();
    return CmAddress.ofGid(
        gid, partition, (long) addressing.space() << CmAddressing.SPACE_SHIFT | number);
  }

  private static View paths(CmId id, int room) {
    @Nullable CmPath path = id.addressing().path();
    Structure each = PathRecData.STRUCTURE;
    int header = QueryPathResp.STRUCTURE.bytes();
    boolean fits = path != null && room - header >= each.bytes();
    View output =
        View.of(QueryPathResp.STRUCTURE, fits ? each.bytes() : 0)
            .set(QueryPathResp.NUM_PATHS, path == null ? 0 : 1);
    if (path != null && fits) {
      output
          .at(header)
          .set(PathRecData.FLAGS, PATH_FLAGS)
          .setBytes(PathRecData.PATH_REC, path.asRecord());
    }
    return output;
  }

  static void attributes(CmCall call) {
    call.requireRoom(QpAttr.STRUCTURE.bytes());
    int state = call.get(InitQpAttr.QP_STATE);
    View output = call.with(InitQpAttr.ID, id -> attributes(id, state));
    call.reply(InitQpAttr.RESPONSE, output);
  }

  /** The attributes that move the queue pair of an id to a state. */
  static View attributes(CmId id, int qpState) {
    id.requireDevice();
    Refusal.require(
        qpState >= 0 && qpState <= QpStates.ERR,
        Errno.EINVAL,
        "a queue pair has no state %d",
        qpState);
    View attributes = View.of(QpAttr.STRUCTURE).set(QpAttr.QP_STATE, qpState);
    if (id.end() instanceof ReliableEnd connection) {
      connection.attributes(qpState, attributes);
    } else {
      plainAttributes(id, attributes);
    }
    if ((attributes.getInt(QpAttr.QP_ATTR_MASK) & QpMask.TIMEOUT) != 0) {
      id.addressing()
          .acknowledgement()
          .ifPresent(timeout -> attributes.set(QpAttr.TIMEOUT, timeout));
    }
    return attributes;
  }

  private static void plainAttributes(CmId id, View attributes) {
    int mask = QpMask.STATE | QpMask.PKEY_INDEX | QpMask.PORT;
    if (id.type() == Verbs.QPT_UD) {
      Refusal.require(
          id.addressing().space() != RdmaCm.PS_IPOIB,
          Errno.EINVAL,
          "RDMA_PS_IPOIB uses the queue key of an IP over InfiniBand group, and the device has no"
              + " such group");
      attributes.set(QpAttr.QKEY, id.queueKey());
      mask |= QpMask.QKEY;
    } else {
      mask |= QpMask.ACCESS_FLAGS;
    }
    attributes.set(QpAttr.QP_ATTR_MASK, mask).set(QpAttr.PORT_NUM, VportContext.PORT);
  }
}
