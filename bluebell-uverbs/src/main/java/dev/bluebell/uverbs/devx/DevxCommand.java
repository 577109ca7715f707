package dev.bluebell.uverbs.devx;

import static dev.bluebell.hca.command.CommandOpcode.GENERAL_END;
import static dev.bluebell.hca.command.CommandOpcode.GENERAL_START;
import static dev.bluebell.hca.command.CommandOpcode.GET_DROPPED_PACKET_LOG;
import static dev.bluebell.hca.command.CommandOpcode.NOP;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_ADAPTER;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_CONG_PARAMS;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_CONG_STATISTICS;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_CONG_STATUS;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_ESW_FUNCTIONS;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_ESW_VPORT_CONTEXT;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_HCA_CAP;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_HCA_VPORT_CONTEXT;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_ISSI;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_LAG;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_NIC_VPORT_CONTEXT;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_ROCE_ADDRESS;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_VNIC_ENV;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_VPORT_COUNTER;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_VPORT_STATE;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.DevxAbi.DevxOtherAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxQueryEqnAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxQueryUarAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.QuotaExceeded;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Raw commands of a client, and the DevX calls that belong to no object. Mirrors {@code mlx5_ib
 * devx.c: MLX5_IB_METHOD_DEVX_OTHER, devx_is_general_cmd} and their neighbours.
 */
public final class DevxCommand {
  private static final int HEADER_BYTES = 16;

  /** The commands that belong to no object, besides those of the general range. */
  private static final Set<Integer> GENERAL =
      Set.of(
          QUERY_HCA_CAP,
          QUERY_HCA_VPORT_CONTEXT,
          QUERY_ESW_VPORT_CONTEXT,
          QUERY_ESW_FUNCTIONS,
          QUERY_VPORT_STATE,
          QUERY_ADAPTER,
          QUERY_ISSI,
          QUERY_NIC_VPORT_CONTEXT,
          QUERY_ROCE_ADDRESS,
          QUERY_VNIC_ENV,
          QUERY_VPORT_COUNTER,
          GET_DROPPED_PACKET_LOG,
          NOP,
          QUERY_CONG_STATUS,
          QUERY_CONG_PARAMS,
          QUERY_CONG_STATISTICS,
          QUERY_LAG);

  private DevxCommand() {}

  static byte[] of(IoctlCall call, Attribute attribute) {
    byte[] command = call.bytes(attribute);
    Refusal.require(
        command.length >= HEADER_BYTES,
        Errno.EINVAL,
        "a command of %d bytes has no header",
        command.length);
    return command;
  }

  /** The object of the device that a call names. */
  static HcaObject object(Session session, IoctlCall call, Attribute handle) {
    return session.handles().find(Handles.OnDevice.class, call.handle(handle)).object();
  }

  /** Executes a command; when the device refuses, the client gets its output. */
  static <T> T run(IoctlCall call, Attribute out, Supplier<T> command) {
    try {
      return command.get();
    } catch (QuotaExceeded refusal) {
      throw Refusal.of(refusal);
    } catch (HcaException refusal) {
      call.put(out, refusal.output());
      throw Refusal.byDevice(refusal);
    }
  }

  public static void other(Session session, IoctlCall call) {
    session.requireDevx();
    byte[] command = of(call, DevxOtherAttrs.CMD_IN);
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    Refusal.require(
        GENERAL.contains(opcode) || opcode >= GENERAL_START && opcode < GENERAL_END,
        Errno.EINVAL,
        "the command with opcode 0x%x is unknown, or belongs to an object",
        opcode);
    Attribute out = DevxOtherAttrs.CMD_OUT;
    call.put(out, run(call, out, () -> session.hca().execute(command)));
  }

  public static void queryUar(Session session, IoctlCall call) throws IOException {
    session.requireDevx();
    call.putInt(
        DevxQueryUarAttrs.DEV_IDX,
        session.registers().mapped(call.handle(DevxQueryUarAttrs.USER_IDX)));
  }

  public static void queryEqn(Session session, IoctlCall call) {
    session.requireDevx();
    int vector = call.handle(DevxQueryEqnAttrs.USER_VEC);
    Refusal.require(
        vector >= 0 && vector < session.hca().completionVectors(),
        Errno.EINVAL,
        "the device has no completion vector %d",
        vector);
    call.putInt(DevxQueryEqnAttrs.DEV_EQN, session.hca().eventQueueNumber(vector));
  }
}
