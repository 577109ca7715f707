package dev.bluebell.connect.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.Accept;
import dev.bluebell.hca.uverbs.CmAbi.BindIp;
import dev.bluebell.hca.uverbs.CmAbi.CmdHdr;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Connect;
import dev.bluebell.hca.uverbs.CmAbi.CreateId;
import dev.bluebell.hca.uverbs.CmAbi.CreateIdResp;
import dev.bluebell.hca.uverbs.CmAbi.DestroyId;
import dev.bluebell.hca.uverbs.CmAbi.DestroyIdResp;
import dev.bluebell.hca.uverbs.CmAbi.Disconnect;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmAbi.GetEvent;
import dev.bluebell.hca.uverbs.CmAbi.InitQpAttr;
import dev.bluebell.hca.uverbs.CmAbi.Listen;
import dev.bluebell.hca.uverbs.CmAbi.QpAttr;
import dev.bluebell.hca.uverbs.CmAbi.Query;
import dev.bluebell.hca.uverbs.CmAbi.QueryAddrResp;
import dev.bluebell.hca.uverbs.CmAbi.Reject;
import dev.bluebell.hca.uverbs.CmAbi.ResolveIp;
import dev.bluebell.hca.uverbs.CmAbi.ResolveRoute;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The commands of an open file of the connection manager. Thread-safe. */
final class CmFile {
  /** Offset of the GID in a {@code sockaddr_ib}. */
  private static final int IB_ADDRESS = 8;

  private static final int GID_BYTES = 16;

  private final HcaConnectionManager file;

  CmFile(HcaConnectionManager file) {
    this.file = file;
  }

  /** The addresses of an id's two ends. */
  record Ends(InetSocketAddress source, InetSocketAddress destination) {}

  /** The GIDs of an id's two ends. */
  record Gids(Gid source, Gid destination) {}

  /** Waits for an event; false when the file has ended. */
  boolean awaitEvent() {
    return file.awaitEvent();
  }

  /** The next event; null when there is none. */
  @Nullable CmEvent next() throws CmRefusal {
    View response = View.of(EventResp.STRUCTURE);
    int errno =
        execute(
            RdmaCm.USER_CM_CMD_GET_EVENT, View.of(GetEvent.STRUCTURE), GetEvent.RESPONSE, response);
    if (errno == CmRefusal.EAGAIN) {
      return null;
    }
    require("fetching an event", errno);
    return new CmEvent(response);
  }

  // ---- ids

  /**
   * Creates an id of a reliable connection.
   *
   * @param uid of its events, not 0
   */
  int create(long uid) throws CmRefusal {
    View input =
        View.of(CreateId.STRUCTURE)
            .set(CreateId.UID, uid)
            .set(CreateId.PS, RdmaCm.PS_TCP)
            .set(CreateId.QP_TYPE, Verbs.QPT_RC);
    View response = View.of(CreateIdResp.STRUCTURE);
    require(
        "creating an id",
        execute(RdmaCm.USER_CM_CMD_CREATE_ID, input, CreateId.RESPONSE, response));
    return response.getInt(CreateIdResp.ID);
  }

  /** Destroys an id, which notifies its peer; has no effect if the id no longer exists. */
  void destroy(int id) {
    View input = View.of(DestroyId.STRUCTURE).set(DestroyId.ID, id);
    int unused =
        execute(
            RdmaCm.USER_CM_CMD_DESTROY_ID,
            input,
            DestroyId.RESPONSE,
            View.of(DestroyIdResp.STRUCTURE));
  }

  void bind(int id, InetSocketAddress address) throws CmRefusal {
    View input =
        View.of(BindIp.STRUCTURE)
            .setBytes(BindIp.ADDR, SocketAddresses.bytes(address, BindIp.ADDR.bytes()))
            .set(BindIp.ID, id);
    require("binding to " + address, execute(RdmaCm.USER_CM_CMD_BIND_IP, input));
  }

  void listen(int id, int backlog) throws CmRefusal {
    View input = View.of(Listen.STRUCTURE).set(Listen.ID, id).set(Listen.BACKLOG, backlog);
    require("listening", execute(RdmaCm.USER_CM_CMD_LISTEN, input));
  }

  /** Starts to resolve an address; an event follows. */
  void resolve(int id, InetSocketAddress address, int millis) throws CmRefusal {
    View input =
        View.of(ResolveIp.STRUCTURE)
            .setBytes(
                ResolveIp.DST_ADDR, SocketAddresses.bytes(address, ResolveIp.DST_ADDR.bytes()))
            .set(ResolveIp.ID, id)
            .set(ResolveIp.TIMEOUT_MS, millis);
    require("resolving the address", execute(RdmaCm.USER_CM_CMD_RESOLVE_IP, input));
  }

  /** Starts to resolve the route to a resolved address; an event follows. */
  void resolveRoute(int id, int millis) throws CmRefusal {
    View input =
        View.of(ResolveRoute.STRUCTURE)
            .set(ResolveRoute.ID, id)
            .set(ResolveRoute.TIMEOUT_MS, millis);
    require("resolving the route", execute(RdmaCm.USER_CM_CMD_RESOLVE_ROUTE, input));
  }

  Ends ends(int id) throws CmRefusal {
    View response = query(id, RdmaCm.USER_CM_QUERY_ADDR);
    return new Ends(
        SocketAddresses.of(response.getBytes(QueryAddrResp.SRC_ADDR)),
        SocketAddresses.of(response.getBytes(QueryAddrResp.DST_ADDR)));
  }

  Gids gids(int id) throws CmRefusal {
    View response = query(id, RdmaCm.USER_CM_QUERY_GID);
    return new Gids(
        gid(response.getBytes(QueryAddrResp.SRC_ADDR)),
        gid(response.getBytes(QueryAddrResp.DST_ADDR)));
  }

  private static Gid gid(byte[] sockaddr) {
    return Gid.of(Arrays.copyOfRange(sockaddr, IB_ADDRESS, IB_ADDRESS + GID_BYTES));
  }

  private View query(int id, int option) throws CmRefusal {
    View input = View.of(Query.STRUCTURE).set(Query.ID, id).set(Query.OPTION, option);
    View response = View.of(QueryAddrResp.STRUCTURE);
    require("querying an id", execute(RdmaCm.USER_CM_CMD_QUERY, input, Query.RESPONSE, response));
    return response;
  }

  // ---- connections

  /** Asks for a connection; an event follows. */
  void connect(int id, View parameters) throws CmRefusal {
    View input = View.of(Connect.STRUCTURE).set(Connect.ID, id);
    View unused = input.set(Connect.CONN_PARAM, parameters);
    require("the request for a connection", execute(RdmaCm.USER_CM_CMD_CONNECT, input));
  }

  /**
   * Accepts a request; an event follows.
   *
   * @param uid of the id's events from now on
   */
  void accept(int id, long uid, View parameters) throws CmRefusal {
    View input = View.of(Accept.STRUCTURE).set(Accept.UID, uid).set(Accept.ID, id);
    View unused = input.set(Accept.CONN_PARAM, parameters);
    require("accepting the request", execute(RdmaCm.USER_CM_CMD_ACCEPT, input));
  }

  /** Notifies a peer that has accepted that this side is ready. */
  void acknowledge(int id) throws CmRefusal {
    View input = View.of(Accept.STRUCTURE).set(Accept.ID, id);
    require("completing the connection", execute(RdmaCm.USER_CM_CMD_ACCEPT, input));
  }

  void reject(int id, byte[] data) throws CmRefusal {
    View input =
        View.of(Reject.STRUCTURE)
            .set(Reject.ID, id)
            .set(Reject.PRIVATE_DATA_LEN, data.length)
            .setBytes(Reject.PRIVATE_DATA, Arrays.copyOf(data, Reject.PRIVATE_DATA.bytes()));
    require("rejecting the request", execute(RdmaCm.USER_CM_CMD_REJECT, input));
  }

  /**
   * Rejects a request that the client may repeat later; has no effect on a request that is over.
   */
  void rejectForNow(int id) {
    try {
      reject(id, PrivateData.notNow());
    } catch (CmRefusal e) {
      // The client has given up.
    }
  }

  void disconnect(int id) throws CmRefusal {
    View input = View.of(Disconnect.STRUCTURE).set(Disconnect.ID, id);
    require("disconnecting", execute(RdmaCm.USER_CM_CMD_DISCONNECT, input));
  }

  /** The attributes with which to move a queue pair to a state, {@link QpAttr}. */
  View attributes(int id, int state) throws CmRefusal {
    View input =
        View.of(InitQpAttr.STRUCTURE).set(InitQpAttr.ID, id).set(InitQpAttr.QP_STATE, state);
    View response = View.of(QpAttr.STRUCTURE);
    require(
        "preparing the queue pair",
        execute(RdmaCm.USER_CM_CMD_INIT_QP_ATTR, input, InitQpAttr.RESPONSE, response));
    return response;
  }

  /** The parameters of a connection with private data, {@link ConnParam}. */
  static View parameters(byte[] data) {
    return View.of(ConnParam.STRUCTURE)
        .setBytes(ConnParam.PRIVATE_DATA, Arrays.copyOf(data, ConnParam.PRIVATE_DATA.bytes()))
        .set(ConnParam.PRIVATE_DATA_LEN, data.length)
        .set(ConnParam.VALID, 1);
  }

  // ---- commands

  private static void require(String what, int errno) throws CmRefusal {
    if (errno != 0) {
      throw new CmRefusal(what, errno);
    }
  }

  private int execute(int number, View input) {
    try (Arena arena = Arena.ofConfined()) {
      return file.write(command(arena, number, input, 0));
    }
  }

  /** Executes a command that writes a response; returns its errno. */
  private int execute(int number, View input, Field address, View response) {
    byte[] out = response.bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(out.length, Long.BYTES);
      View pointing = input.set(address, memory.address());
      int errno = file.write(command(arena, number, pointing, out.length));
      View unused = response.put(0, memory.toArray(JAVA_BYTE));
      return errno;
    }
  }

  private static MemorySegment command(Arena arena, int number, View input, int room) {
    Structure header = CmdHdr.STRUCTURE;
    byte[] in = input.bytes();
    View command =
        View.of(header, in.length)
            .set(CmdHdr.CMD, number)
            .set(CmdHdr.IN, in.length)
            .set(CmdHdr.OUT, room)
            .put(header.bytes(), in);
    return arena.allocateFrom(JAVA_BYTE, command.bytes());
  }
}
