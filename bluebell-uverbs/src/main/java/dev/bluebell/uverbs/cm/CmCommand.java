package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.Accept;
import dev.bluebell.hca.uverbs.CmAbi.Bind;
import dev.bluebell.hca.uverbs.CmAbi.BindIp;
import dev.bluebell.hca.uverbs.CmAbi.CmdHdr;
import dev.bluebell.hca.uverbs.CmAbi.Connect;
import dev.bluebell.hca.uverbs.CmAbi.CreateId;
import dev.bluebell.hca.uverbs.CmAbi.DestroyId;
import dev.bluebell.hca.uverbs.CmAbi.Disconnect;
import dev.bluebell.hca.uverbs.CmAbi.GetEvent;
import dev.bluebell.hca.uverbs.CmAbi.InitQpAttr;
import dev.bluebell.hca.uverbs.CmAbi.JoinIpMcast;
import dev.bluebell.hca.uverbs.CmAbi.JoinMcast;
import dev.bluebell.hca.uverbs.CmAbi.Listen;
import dev.bluebell.hca.uverbs.CmAbi.MigrateId;
import dev.bluebell.hca.uverbs.CmAbi.Notify;
import dev.bluebell.hca.uverbs.CmAbi.Query;
import dev.bluebell.hca.uverbs.CmAbi.Reject;
import dev.bluebell.hca.uverbs.CmAbi.ResolveAddr;
import dev.bluebell.hca.uverbs.CmAbi.ResolveIp;
import dev.bluebell.hca.uverbs.CmAbi.ResolveRoute;
import dev.bluebell.hca.uverbs.CmAbi.SetOption;
import dev.bluebell.hca.uverbs.CmAbi.WriteCmEvent;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.uverbs.call.Refusal;
import java.util.Arrays;
import java.util.function.Consumer;

/** The supported commands of the connection manager. Mirrors {@code ucma.c: ucma_cmd_table}. */
enum CmCommand {
  CREATE_ID(RdmaCm.USER_CM_CMD_CREATE_ID, CreateId.STRUCTURE, CmCalls::create),
  DESTROY_ID(RdmaCm.USER_CM_CMD_DESTROY_ID, DestroyId.STRUCTURE, CmCalls::destroy),
  BIND_IP(RdmaCm.USER_CM_CMD_BIND_IP, BindIp.STRUCTURE, CmCalls::bindIp),
  RESOLVE_IP(RdmaCm.USER_CM_CMD_RESOLVE_IP, ResolveIp.STRUCTURE, CmCalls::resolveIp),
  RESOLVE_ROUTE(RdmaCm.USER_CM_CMD_RESOLVE_ROUTE, ResolveRoute.STRUCTURE, CmCalls::resolveRoute),
  QUERY_ROUTE(RdmaCm.USER_CM_CMD_QUERY_ROUTE, Query.STRUCTURE, CmQueries::route),
  CONNECT(RdmaCm.USER_CM_CMD_CONNECT, Connect.STRUCTURE, CmCalls::connect),
  LISTEN(RdmaCm.USER_CM_CMD_LISTEN, Listen.STRUCTURE, CmCalls::listen),
  ACCEPT(RdmaCm.USER_CM_CMD_ACCEPT, Accept.STRUCTURE, CmCalls::accept),
  REJECT(RdmaCm.USER_CM_CMD_REJECT, Reject.STRUCTURE, CmCalls::reject),
  DISCONNECT(RdmaCm.USER_CM_CMD_DISCONNECT, Disconnect.STRUCTURE, CmCalls::disconnect),
  INIT_QP_ATTR(RdmaCm.USER_CM_CMD_INIT_QP_ATTR, InitQpAttr.STRUCTURE, CmQueries::attributes),
  GET_EVENT(RdmaCm.USER_CM_CMD_GET_EVENT, GetEvent.STRUCTURE, CmCalls::getEvent),
  SET_OPTION(RdmaCm.USER_CM_CMD_SET_OPTION, SetOption.STRUCTURE, CmOptions::set),
  NOTIFY(RdmaCm.USER_CM_CMD_NOTIFY, Notify.STRUCTURE, CmCalls::notify),
  JOIN_IP_MCAST(RdmaCm.USER_CM_CMD_JOIN_IP_MCAST, JoinIpMcast.STRUCTURE, CmCalls::joinIp),
  LEAVE_MCAST(RdmaCm.USER_CM_CMD_LEAVE_MCAST, DestroyId.STRUCTURE, CmCalls::leave),
  MIGRATE_ID(RdmaCm.USER_CM_CMD_MIGRATE_ID, MigrateId.STRUCTURE, CmCalls::migrate),
  QUERY(RdmaCm.USER_CM_CMD_QUERY, Query.STRUCTURE, CmQueries::query),
  BIND(RdmaCm.USER_CM_CMD_BIND, Bind.STRUCTURE, CmCalls::bind),
  RESOLVE_ADDR(RdmaCm.USER_CM_CMD_RESOLVE_ADDR, ResolveAddr.STRUCTURE, CmCalls::resolveAddress),
  JOIN_MCAST(RdmaCm.USER_CM_CMD_JOIN_MCAST, JoinMcast.STRUCTURE, CmCalls::join),
  WRITE_CM_EVENT(RdmaCm.USER_CM_CMD_WRITE_CM_EVENT, WriteCmEvent.STRUCTURE, CmCalls::writeEvent);

  private static final int HEADER_BYTES = CmdHdr.STRUCTURE.bytes();
  private static final int LAST = RdmaCm.USER_CM_CMD_WRITE_CM_EVENT;

  /** An upper limit for any command. */
  private static final int MAX_BYTES = 4096;

  private final int number;
  private final Structure input;
  private final Consumer<CmCall> handler;

  CmCommand(int number, Structure input, Consumer<CmCall> handler) {
    this.number = number;
    this.input = input;
    this.handler = handler;
  }

  /**
   * Executes a client's write.
   *
   * @return bytes consumed
   */
  static long write(CmSession session, long address, long count) {
    Refusal.require(
        count >= HEADER_BYTES && count <= MAX_BYTES,
        Errno.EINVAL,
        "a write can't have %d bytes",
        count);
    byte[] all = session.memory().read(address, (int) count);
    View header = View.over(all);
    int sent = header.getInt(CmdHdr.IN);
    CmCommand command = of(header.getInt(CmdHdr.CMD));
    Refusal.require(
        Integer.toUnsignedLong(sent) + HEADER_BYTES <= all.length,
        Errno.EINVAL,
        "%s says that it has %d bytes, and the write has %d after the header",
        command,
        sent,
        all.length - HEADER_BYTES);
    byte[] in =
        Arrays.copyOf(
            Arrays.copyOfRange(all, HEADER_BYTES, HEADER_BYTES + sent),
            Math.max(command.input.bytes(), all.length));
    command.handler.accept(new CmCall(session, View.over(in), sent, header.getInt(CmdHdr.OUT)));
    return count;
  }

  private static CmCommand of(int number) {
    return Arrays.stream(values())
        .filter(command -> command.number == number)
        .findFirst()
        .orElseThrow(
            () ->
                new Refusal(
                    number >= 0 && number <= LAST ? Errno.ENOSYS : Errno.EINVAL,
                    "the connection manager has no command %d".formatted(number)));
  }
}
