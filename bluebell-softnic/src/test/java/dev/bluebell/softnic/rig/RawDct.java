package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.DctCommands.ArmDctIn;
import dev.bluebell.hca.command.DctCommands.CreateDctIn;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.DctCommands.DrainDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctIn;
import dev.bluebell.hca.command.DctCommands.QueryDctOut;
import dev.bluebell.hca.structure.View;
import java.util.function.Consumer;

/** A DC target, written by hand, with all rights and a path MTU of 1024 bytes. */
public final class RawDct {
  public static final long KEY = 0x1020_3040_5060_7080L;
  public static final int USER_INDEX = 0x345678;

  private final RawCq cq;
  private final HcaObject object;

  public RawDct(Rig rig, RawCq cq, RawPool pool) {
    this(rig, cq, pool, context -> {});
  }

  /**
   * @param change last changes to the context
   */
  public RawDct(Rig rig, RawCq cq, RawPool pool, Consumer<View> change) {
    this.cq = cq;
    View command = command(rig, cq, pool);
    change.accept(command.at(CreateDctIn.DCT_CONTEXT_ENTRY));
    object = rig.nic().create(command.bytes());
  }

  /** The command that creates a target. */
  public static View command(Rig rig, RawCq cq, RawPool pool) {
    View command = View.command(CreateDctIn.STRUCTURE, CommandOpcode.CREATE_DCT);
    command
        .at(CreateDctIn.DCT_CONTEXT_ENTRY)
        .set(Dctc.USER_INDEX, USER_INDEX)
        .set(Dctc.CQN, cq.number())
        .set(Dctc.SRQN_XRQN, pool.number())
        .set(Dctc.PD, rig.domain().number())
        .set(Dctc.DC_ACCESS_KEY, KEY)
        .set(Dctc.RRE, true)
        .set(Dctc.RWE, true)
        .set(Dctc.RAE, true)
        .set(Dctc.MIN_RNR_NAK, 1)
        .set(Dctc.MTU, 3)
        .set(Dctc.PORT, 1)
        .set(Dctc.MY_ADDR_INDEX, Addresses.LINK_LOCAL)
        .set(Dctc.HOP_LIMIT, 64);
    return command;
  }

  public HcaObject object() {
    return object;
  }

  public int number() {
    return object.number();
  }

  public RawCq cq() {
    return cq;
  }

  /** The context as the device reports it. */
  public View query() {
    byte[] command =
        View.command(QueryDctIn.STRUCTURE, CommandOpcode.QUERY_DCT)
            .set(QueryDctIn.DCTN, number())
            .bytes();
    return View.over(object.query(command)).at(QueryDctOut.DCT_CONTEXT_ENTRY);
  }

  public void drain() {
    object.modify(
        View.command(DrainDctIn.STRUCTURE, CommandOpcode.DRAIN_DCT)
            .set(DrainDctIn.DCTN, number())
            .bytes());
  }

  /** Arms the event for the next wrong key. */
  public void arm() {
    object.modify(
        View.command(ArmDctIn.STRUCTURE, CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION)
            .set(ArmDctIn.DCT_NUMBER, number())
            .bytes());
  }
}
