package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.Accept;
import dev.bluebell.hca.uverbs.CmAbi.Bind;
import dev.bluebell.hca.uverbs.CmAbi.BindIp;
import dev.bluebell.hca.uverbs.CmAbi.ConnParam;
import dev.bluebell.hca.uverbs.CmAbi.Connect;
import dev.bluebell.hca.uverbs.CmAbi.CreateId;
import dev.bluebell.hca.uverbs.CmAbi.CreateIdResp;
import dev.bluebell.hca.uverbs.CmAbi.DestroyId;
import dev.bluebell.hca.uverbs.CmAbi.DestroyIdResp;
import dev.bluebell.hca.uverbs.CmAbi.Disconnect;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmAbi.GetEvent;
import dev.bluebell.hca.uverbs.CmAbi.JoinIpMcast;
import dev.bluebell.hca.uverbs.CmAbi.JoinMcast;
import dev.bluebell.hca.uverbs.CmAbi.Listen;
import dev.bluebell.hca.uverbs.CmAbi.MigrateId;
import dev.bluebell.hca.uverbs.CmAbi.MigrateResp;
import dev.bluebell.hca.uverbs.CmAbi.Notify;
import dev.bluebell.hca.uverbs.CmAbi.Reject;
import dev.bluebell.hca.uverbs.CmAbi.ResolveAddr;
import dev.bluebell.hca.uverbs.CmAbi.ResolveIp;
import dev.bluebell.hca.uverbs.CmAbi.ResolveRoute;
import dev.bluebell.hca.uverbs.CmAbi.WriteCmEvent;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.Refusal;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands about ids, their connections and groups, and events. Mirrors {@code ucma.c}. */
final class CmCalls {
  private CmCalls() {}

  static void create(CmCall call) {
    call.requireRoom(CreateIdResp.STRUCTURE.bytes());
    int space = call.get(CreateId.PS);
    int type =
        switch (space) {
          case RdmaCm.PS_TCP -> Verbs.QPT_RC;
          case RdmaCm.PS_UDP, RdmaCm.PS_IPOIB -> Verbs.QPT_UD;
          case RdmaCm.PS_IB -> call.get(CreateId.QP_TYPE);
          default ->
              throw new Refusal(Errno.EINVAL, "there is no port space 0x%x".formatted(space));
        };
    CmFile file = call.session().file();
    CmId id = file.get(same -> same.create(call.in().get(CreateId.UID), space, type));
    try {
      call.reply(
          CreateId.RESPONSE, View.of(CreateIdResp.STRUCTURE).set(CreateIdResp.ID, id.number()));
    } catch (Refusal refusal) {
      int unused = file.get(same -> id.destroy());
      throw refusal;
    }
  }

  static void destroy(CmCall call) {
    call.requireRoom(DestroyIdResp.STRUCTURE.bytes());
    int reported = call.with(DestroyId.ID, CmId::destroy);
    replyReported(call, reported);
  }

  private static void replyReported(CmCall call, int events) {
    call.reply(
        DestroyId.RESPONSE,
        View.of(DestroyIdResp.STRUCTURE).set(DestroyIdResp.EVENTS_REPORTED, events));
  }

  // ---- addresses

  static void bindIp(CmCall call) {
    CmAddress address = ip(call.in().getBytes(BindIp.ADDR));
    call.run(BindIp.ID, id -> id.bind(address));
  }

  static void bind(CmCall call) {
    requireZero(call.get(Bind.RESERVED));
    CmAddress address = address(call.in().getBytes(Bind.ADDR), call.get(Bind.ADDR_SIZE));
    call.run(Bind.ID, id -> id.bind(address));
  }

  static void resolveIp(CmCall call) {
    byte[] from = call.in().getBytes(ResolveIp.SRC_ADDR);
    CmAddress source = from[0] == 0 && from[1] == 0 ? CmAddress.NONE : ip(from);
    CmAddress destination = ip(call.in().getBytes(ResolveIp.DST_ADDR));
    call.run(ResolveIp.ID, id -> id.resolve(source, destination));
  }

  static void resolveAddress(CmCall call) {
    requireZero(call.get(ResolveAddr.RESERVED));
    int sourceBytes = call.get(ResolveAddr.SRC_SIZE);
    CmAddress source =
        sourceBytes == 0
            ? CmAddress.NONE
            : address(call.in().getBytes(ResolveAddr.SRC_ADDR), sourceBytes);
    CmAddress destination =
        address(call.in().getBytes(ResolveAddr.DST_ADDR), call.get(ResolveAddr.DST_SIZE));
    call.run(ResolveAddr.ID, id -> id.resolve(source, destination));
  }

  /** An IPv4 or IPv6 address. */
  private static CmAddress ip(byte[] sockaddr) {
    CmAddress address = CmAddress.of(sockaddr);
    Refusal.require(
        address.family() != 0, Errno.EINVAL, "the address family is not AF_INET or AF_INET6");
    return address;
  }

  private static CmAddress address(byte[] sockaddr, int bytes) {
    CmAddress address = CmAddress.of(sockaddr);
    Refusal.require(
        bytes != 0 && bytes == address.size(),
        Errno.EINVAL,
        "an address of its family has %d bytes, not %d",
        address.size(),
        bytes);
    return address;
  }

  private static void requireZero(int reserved) {
    Refusal.require(reserved == 0, Errno.EINVAL, "a reserved field is 0x%x, not 0", reserved);
  }

  static void resolveRoute(CmCall call) {
    Refusal.require(
        call.get(ResolveRoute.TIMEOUT_MS) != 0, Errno.EINVAL, "a route needs a timeout");
    call.run(ResolveRoute.ID, CmId::resolveRoute);
  }

  // ---- connections

  static void listen(CmCall call) {
    int backlog = call.get(Listen.BACKLOG);
    call.run(Listen.ID, id -> id.listen(backlog));
  }

  static void connect(CmCall call) {
    requireSent(call, Connect.RESERVED.end());
    Offer offer = Offer.of(call.in(), Connect.CONN_PARAM, Connect.ECE);
    Refusal.require(
        offer.get(ConnParam.VALID) != 0, Errno.EINVAL, "a request needs its parameters (valid)");
    call.run(Connect.ID, id -> id.connect(offer));
  }

  static void accept(CmCall call) {
    requireSent(call, Accept.RESERVED.end());
    Offer offer = Offer.of(call.in(), Accept.CONN_PARAM, Accept.ECE);
    long uid = call.in().get(Accept.UID);
    call.run(
        Accept.ID,
        id -> {
          if (offer.get(ConnParam.VALID) == 0) {
            id.acknowledge();
          } else {
            id.accept(uid, offer);
          }
        });
  }

  private static void requireSent(CmCall call, int bytes) {
    Refusal.require(
        call.sent() >= bytes,
        Errno.EINVAL,
        "the command has %d bytes of input and needs at least %d",
        call.sent(),
        bytes);
  }

  static void reject(CmCall call) {
    byte[] data =
        Arrays.copyOf(call.in().getBytes(Reject.PRIVATE_DATA), call.get(Reject.PRIVATE_DATA_LEN));
    int reason = call.get(Reject.REASON);
    call.run(Reject.ID, id -> id.reject(reason, data));
  }

  static void disconnect(CmCall call) {
    call.run(Disconnect.ID, CmId::disconnect);
  }

  static void notify(CmCall call) {
    int event = call.get(Notify.EVENT);
    call.run(Notify.ID, id -> id.notify(event));
  }

  // ---- groups

  static void joinIp(CmCall call) {
    CmAddress address = ip(call.in().getBytes(JoinIpMcast.ADDR));
    join(call, JoinIpMcast.ID, address);
  }

  static void join(CmCall call) {
    int flags = call.get(JoinMcast.JOIN_FLAGS);
    Refusal.require(
        flags == RdmaCm.MC_JOIN_FLAG_FULLMEMBER || flags == RdmaCm.MC_JOIN_FLAG_SENDONLY_FULLMEMBER,
        Errno.EINVAL,
        "join_flags 0x%x is invalid: it is 0 (full member) or 1 (send-only full member)",
        flags);
    CmAddress address = address(call.in().getBytes(JoinMcast.ADDR), call.get(JoinMcast.ADDR_SIZE));
    join(call, JoinMcast.ID, address);
  }

  private static void join(CmCall call, Field idField, CmAddress address) {
    call.requireRoom(CreateIdResp.STRUCTURE.bytes());
    CmGroup group = call.with(idField, id -> id.join(call.in().get(JoinMcast.UID), address));
    try {
      call.reply(
          JoinMcast.RESPONSE, View.of(CreateIdResp.STRUCTURE).set(CreateIdResp.ID, group.number()));
    } catch (Refusal refusal) {
      int unused = call.session().file().get(file -> group.id().groups().leave(group));
      throw refusal;
    }
  }

  static void leave(CmCall call) {
    call.requireRoom(DestroyIdResp.STRUCTURE.bytes());
    int reported =
        call.session()
            .file()
            .get(
                file -> {
                  CmGroup group = file.findGroup(call.get(DestroyId.ID));
                  return group.id().groups().leave(group);
                });
    replyReported(call, reported);
  }

  // ---- events

  /** Answers EAGAIN when there is no event; the shim waits for one. */
  static void getEvent(CmCall call) {
    call.requireRoom(EventResp.RESERVED.offset());
    CmFile file = call.session().file();
    @Nullable CmEvent event = file.get(CmFile::next);
    if (event == null) {
      throw new Refusal(Errno.EAGAIN, "there is no event");
    }
    try {
      call.reply(GetEvent.RESPONSE, event.response());
    } catch (Refusal refusal) {
      file.locked(same -> CmFile.putBack(event));
      throw refusal;
    }
    file.locked(same -> same.delivered(event));
  }

  /** Adds an event that the client writes to itself; only two kinds are allowed. */
  static void writeEvent(CmCall call) {
    int number = call.get(WriteCmEvent.EVENT);
    CmEventType kind =
        Stream.of(CmEventType.USER, CmEventType.INTERNAL)
            .filter(each -> each.number() == number)
            .findFirst()
            .orElseThrow(
                () ->
                    new Refusal(
                        Errno.EINVAL,
                        "a client can write events 18 (USER) and 19 (INTERNAL), not %d"
                            .formatted(number)));
    call.run(
        WriteCmEvent.ID,
        id ->
            id.events()
                .write(kind, call.get(WriteCmEvent.STATUS), call.in().get(WriteCmEvent.ARG)));
  }

  static void migrate(CmCall call) {
    call.requireRoom(MigrateResp.STRUCTURE.bytes());
    CmSession session = call.session();
    CmFile from = session.files().find(session.process(), call.get(MigrateId.FD));
    Refusal.require(
        from.isOfOwner(session.file()),
        Errno.EINVAL,
        "descriptor %d of the client is an event channel of another process",
        call.get(MigrateId.FD));
    int reported =
        from.get(
            file -> {
              CmId id = file.find(call.get(MigrateId.ID));
              if (id.file() != session.file()) {
                id.moveTo(session.file());
              }
              return id.events().reported();
            });
    call.reply(
        MigrateId.RESPONSE,
        View.of(MigrateResp.STRUCTURE).set(MigrateResp.EVENTS_REPORTED, reported));
  }
}
