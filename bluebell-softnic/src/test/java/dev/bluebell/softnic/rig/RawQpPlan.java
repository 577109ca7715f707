package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parameters of a raw queue pair. */
public final class RawQpPlan {
  final RawCq sends;
  RawCq receives;
  int logSends = 4;
  int logReceives = 3;
  int logStride = 4;
  int userIndex = 0x123456;
  int service;
  @Nullable HcaUar uar;
  @Nullable RawPool pool;
  boolean withoutReceives;
  Consumer<View> change = context -> {};

  public RawQpPlan(RawCq completions) {
    sends = completions;
    receives = completions;
  }

  public RawQpPlan receiveCompletions(RawCq completions) {
    receives = completions;
    return this;
  }

  /** Base-2 logarithms of WQEBBs, receives and bytes of a receive. */
  public RawQpPlan sizes(int logSendWqebbs, int logReceiveWqes, int logReceiveStride) {
    logSends = logSendWqebbs;
    logReceives = logReceiveWqes;
    logStride = logReceiveStride;
    return this;
  }

  public RawQpPlan userIndex(int index) {
    userIndex = index;
    return this;
  }

  public RawQpPlan uar(HcaUar page) {
    uar = page;
    return this;
  }

  /** st: 0 RC, 1 UC, 2 UD. */
  public RawQpPlan service(int st) {
    service = st;
    return this;
  }

  /** Takes receives from a pool. */
  public RawQpPlan pool(RawPool shared) {
    pool = shared;
    return this;
  }

  /** Is a DC initiator, which has no receive queue. */
  public RawQpPlan initiator() {
    return service(ServiceType.DCI.code()).withoutReceives();
  }

  /** Has no receive queue. */
  public RawQpPlan withoutReceives() {
    withoutReceives = true;
    return this;
  }

  /** May execute WAIT, SEND_EN and RECV_EN. */
  public RawQpPlan master() {
    return change(change.andThen(context -> context.set(Qpc.CD_MASTER, true)));
  }

  /** Makes its send queue managed: executed up to the index that SEND_EN sets. */
  public RawQpPlan managedSends() {
    return change(change.andThen(context -> context.set(Qpc.CD_SLAVE_SEND, true)));
  }

  /** Makes its receive queue managed: used up to the counter that RECV_EN sets. */
  public RawQpPlan managedReceives() {
    return change(change.andThen(context -> context.set(Qpc.CD_SLAVE_RECEIVE, true)));
  }

  /** Last changes to the context. */
  public RawQpPlan change(Consumer<View> lastChange) {
    change = lastChange;
    return this;
  }
}
