package dev.bluebell.uverbs.qp;

import static dev.bluebell.uverbs.qp.QpMask.ACCESS_FLAGS;
import static dev.bluebell.uverbs.qp.QpMask.AV;
import static dev.bluebell.uverbs.qp.QpMask.MIN_RNR_TIMER;
import static dev.bluebell.uverbs.qp.QpMask.PATH_MTU;
import static dev.bluebell.uverbs.qp.QpMask.PKEY_INDEX;
import static dev.bluebell.uverbs.qp.QpMask.PORT;
import static dev.bluebell.uverbs.qp.QpMask.STATE;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5CreateQp;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.hca.uverbs.QpAbi.QpDest;
import dev.bluebell.hca.uverbs.QpAbi.QueryQpResp;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.cq.Cq;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.srq.Srq;
import org.jspecify.annotations.Nullable;

/**
 * A target of dynamic connections (DCT), which clients create as a QP. It is created on the device
 * when the client moves it to RTR. Mirrors {@code mlx5_ib qp.c: create_dct, mlx5_ib_modify_dct,
 * mlx5_ib_dct_query_qp}.
 */
final class Dct implements Handles.OnDevice {
  private static final int FLAGS = Mlx5.QP_FLAG_TYPE_DCT | Mlx5.QP_FLAG_SCATTER_CQE;
  private static final int QUERIED =
      STATE | ACCESS_FLAGS | MIN_RNR_TIMER | AV | PATH_MTU | PKEY_INDEX;

  private final Pd pd;
  private final Cq cq;
  private final Srq srq;
  private final View capabilities;
  private final View command = View.command(CreateDctIn.STRUCTURE, CommandOpcode.CREATE_DCT);
  private final View dctc = command.at(CreateDctIn.DCT_CONTEXT_ENTRY);
  private int state = QpStates.RESET;
  private @Nullable HcaObject object;

  private Dct(Pd pd, Cq cq, Srq srq, View capabilities) {
    this.pd = pd;
    this.cq = cq;
    this.srq = srq;
    this.capabilities = capabilities;
  }

  /** A new target, in state RESET. */
  static Dct create(Session session, QpRequest request) {
    int flags = request.driverFlags();
    Refusal.require(
        (flags & ~FLAGS) == 0, Errno.EINVAL, "a DCT can't have driver flags 0x%x", flags);
    Refusal.require(
        request.flags() == 0, Errno.EINVAL, "a DCT can't have create_flags 0x%x", request.flags());
    Handles handles = session.handles();
    Dct made =
        new Dct(
            handles.find(Pd.class, request.pd()),
            handles.find(Cq.class, QpCreation.required(request.receiveCq(), "a CQ for receives")),
            handles.find(Srq.class, QpCreation.required(request.srq(), "a shared receive queue")),
            request.capabilities());
    made.dctc
        .set(Dctc.PD, made.pd.number())
        .set(Dctc.CQN, made.cq.number())
        .set(Dctc.SRQN_XRQN, made.srq.number())
        .set(Dctc.CS_RES, ScatterToCqe.ofTarget(flags, made.cq))
        .set(Dctc.DC_ACCESS_KEY, request.driver().get(Mlx5CreateQp.ACCESS_KEY))
        .set(Dctc.USER_INDEX, request.userIndex());
    return made;
  }

  /**
   * Moves it to another state.
   *
   * @return its number; 0 before RTR
   */
  int modify(Session session, QpAttributes given) {
    if (given.placesOutOfOrder()) {
      OutOfOrder.require(session.hca(), QpType.DCI);
      dctc.set(Dctc.DP_ORDERING_1, true).set(Dctc.DP_ORDERING_FORCE, true);
    }
    given.check();
    int next = given.has(STATE) ? given.getInt(ModifyQp.QP_STATE) : state;
    if (state == QpStates.RESET && next == QpStates.INIT) {
      require(given, STATE | ACCESS_FLAGS | PKEY_INDEX | PORT);
      toInit(session, given);
    } else if (state == QpStates.INIT && next == QpStates.RTR) {
      require(given, STATE | MIN_RNR_TIMER | AV | PATH_MTU);
      toRtr(session, given);
    } else {
      throw new Refusal(
          Errno.EINVAL,
          "a DCT goes from RESET to INIT to RTR, not from state %d to %d".formatted(state, next));
    }
    state = next;
    return object == null ? 0 : object.number();
  }

  private static void require(QpAttributes given, int attributes) {
    Refusal.require(
        given.mask() == attributes,
        Errno.EINVAL,
        "a DCT needs attributes 0x%x for this transition, not 0x%x",
        attributes,
        given.mask());
  }

  private void toInit(Session session, QpAttributes given) {
    boolean outOfOrder = dctc.isSet(Dctc.DP_ORDERING_1);
    int atomicMode = AtomicMode.largest(session.hca(), AtomicCaps.ATOMIC_SIZE_DC, outOfOrder);
    QpRights.OF_DCT.set(dctc, given.getInt(ModifyQp.QP_ACCESS_FLAGS), atomicMode);
    dctc.set(Dctc.PKEY_INDEX, given.getInt(ModifyQp.PKEY_INDEX))
        .set(Dctc.PORT, given.getInt(ModifyQp.PORT_NUM));
  }

  private void toRtr(Session session, QpAttributes given) {
    View path = given.destination();
    dctc.set(Dctc.MIN_RNR_NAK, given.getInt(ModifyQp.MIN_RNR_TIMER) & 0x1f)
        .set(Dctc.TCLASS, path.getInt(QpDest.TRAFFIC_CLASS))
        .set(Dctc.FLOW_LABEL, path.getInt(QpDest.FLOW_LABEL) & 0xfffff)
        .set(Dctc.MTU, given.getInt(ModifyQp.PATH_MTU) & 7)
        .set(Dctc.MY_ADDR_INDEX, path.getInt(QpDest.SGID_INDEX))
        .set(Dctc.HOP_LIMIT, path.getInt(QpDest.HOP_LIMIT))
        .set(Dctc.ETH_PRIO, path.getInt(QpDest.SL) & 7);
    Handles handles = session.handles();
    Refusal.require(
        handles.all(Pd.class).contains(pd)
            && handles.all(Cq.class).contains(cq)
            && handles.all(Srq.class).contains(srq),
        Errno.EINVAL,
        "the PD, CQ or SRQ of the DCT is gone");
    object = session.hca().create(command.bytes());
  }

  /**
   * The attributes, as {@link QueryQpResp}.
   *
   * @param mask the requested attributes
   */
  View query(int mask) {
    Refusal.require(
        (mask & ~QUERIED) == 0,
        Errno.EINVAL,
        "a DCT does not have all of the attributes 0x%x",
        mask);
    Refusal.require(state == QpStates.RTR, Errno.EINVAL, "a DCT has attributes in state RTR only");
    View attributes = View.of(QueryQpResp.STRUCTURE);
    attributes
        .at(QueryQpResp.DEST)
        .set(QpDest.TRAFFIC_CLASS, dctc.getInt(Dctc.TCLASS))
        .set(QpDest.FLOW_LABEL, dctc.getInt(Dctc.FLOW_LABEL))
        .set(QpDest.SGID_INDEX, dctc.getInt(Dctc.MY_ADDR_INDEX))
        .set(QpDest.HOP_LIMIT, dctc.getInt(Dctc.HOP_LIMIT));
    return attributes
        .set(QueryQpResp.QP_STATE, QpStates.RTR)
        .set(QueryQpResp.CUR_QP_STATE, QpStates.RTR)
        .set(QueryQpResp.QP_ACCESS_FLAGS, QpRights.OF_DCT.get(dctc))
        .set(QueryQpResp.MIN_RNR_TIMER, dctc.getInt(Dctc.MIN_RNR_NAK))
        .set(QueryQpResp.PATH_MTU, dctc.getInt(Dctc.MTU))
        .set(QueryQpResp.PKEY_INDEX, dctc.getInt(Dctc.PKEY_INDEX))
        .set(QueryQpResp.PORT_NUM, dctc.getInt(Dctc.PORT))
        .set(QueryQpResp.CAP, capabilities);
  }

  @Override
  public HcaObject object() {
    HcaObject created = object;
    if (created == null) {
      throw new Refusal(Errno.EINVAL, "a DCT exists on the device only from state RTR on");
    }
    return created;
  }

  @Override
  public String describe() {
    return object == null ? "a DCT" : Handles.OnDevice.super.describe();
  }

  @Override
  public int rank() {
    return ObjectKind.DC_TARGET.ordinal();
  }

  @Override
  public void destroy(boolean alive) {
    if (object != null) {
      object.close();
    }
  }
}
