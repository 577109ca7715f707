package dev.bluebell.uverbs.devx;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjCreateAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjDestroyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjModifyAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxObjQueryAttrs;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.CommandNames;
import dev.bluebell.server.CommandNames.Name;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.cq.Cq;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.pd.Xrcd;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.srq.Srq;
import dev.bluebell.uverbs.uar.Uar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object that a command of the client created. Mirrors {@code mlx5_ib devx.c:
 * MLX5_IB_METHOD_DEVX_OBJ_CREATE}.
 */
public final class DevxObject implements Handles.OnDevice {
  /** The field with the offset of a queue or doorbell record, by the field that names its umem. */
  private static final Map<String, String> OFFSETS =
      Map.of(
          "cq_umem_id", "cq_umem_offset",
          "wq_umem_id", "wq_umem_offset",
          "dbr_umem_id", "dbr_addr");

  /** The opcodes of {@code devx_is_obj_modify_cmd} that this device executes. */
  private static final Set<Integer> MODIFICATIONS =
      Set.of(
          CommandOpcode.RST2INIT_QP,
          CommandOpcode.INIT2INIT_QP,
          CommandOpcode.INIT2RTR_QP,
          CommandOpcode.RTR2RTS_QP,
          CommandOpcode.RTS2RTS_QP,
          CommandOpcode.SQERR2RTS_QP,
          CommandOpcode.QP_2ERR,
          CommandOpcode.QP_2RST,
          CommandOpcode.MODIFY_CQ,
          CommandOpcode.MODIFY_RMP,
          CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION,
          CommandOpcode.ARM_XRC_SRQ,
          CommandOpcode.ARM_XRQ);

  private final HcaObject object;
  private final ObjectKind kind;
  private final List<Shared> shared;
  private final List<Xrcd> domains;

  private DevxObject(HcaObject object, ObjectKind kind, List<Shared> shared, List<Xrcd> domains) {
    this.object = object;
    this.kind = kind;
    this.shared = shared;
    this.domains = domains;
    domains.forEach(xrcd -> xrcd.use(1));
  }

  /** The pages of a queue. */
  private record Shared(DevxUmem umem, SharedRanges.Place place) {
    void release(boolean alive) throws IOException {
      umem.unshare();
      place.release(alive);
    }
  }

  public static void create(Session session, IoctlCall call) throws IOException {
    session.requireDevx();
    byte[] command = DevxCommand.of(call, DevxObjCreateAttrs.CMD_IN);
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    if (opcode == CommandOpcode.ATTACH_TO_MCG) {
      DevxMembership.create(session, call, command);
      return;
    }
    ObjectKind kind =
        ObjectKind.createdBy(opcode)
            .filter(ObjectKind::isMadeByClients)
            .orElseThrow(
                () ->
                    new Refusal(
                        Errno.EINVAL,
                        (isOfEthernet(opcode)
                                ? "%s (opcode 0x%x): this device has no Ethernet data path, that"
                                    + " is, no raw packet queue pairs, TIS, TIR and flow tables"
                                : "%s (opcode 0x%x) creates no object that a client may have")
                            .formatted(CommandOpcode.name(opcode), opcode)));
    List<Name> names = CommandNames.of(command);
    names.forEach(name -> requireOwn(session, name));
    List<Shared> shared = new ArrayList<>();
    HcaObject object;
    try {
      for (Name name : names) {
        if (name.kind() == ObjectKind.UMEM) {
          // As in the kernel, for clients that omit it.
          name.view().set(name.sibling(name.field().name().replace("_id", "_valid")), true);
        }
        @Nullable String offset = OFFSETS.get(name.field().name());
        if (offset != null) {
          shared.add(share(session, name, name.sibling(offset)));
        }
      }
      object =
          DevxCommand.run(call, DevxObjCreateAttrs.CMD_OUT, () -> session.hca().create(command));
    } catch (IOException | RuntimeException e) {
      for (Shared pages : shared) {
        pages.release(true);
      }
      throw e;
    }
    int handle =
        session.handles().add(new DevxObject(object, kind, shared, domains(session, names)));
    call.put(DevxObjCreateAttrs.CMD_OUT, object.output());
    call.putHandle(DevxObjCreateAttrs.HANDLE, handle);
  }

  /** True for a command on objects of raw Ethernet traffic. */
  private static boolean isOfEthernet(int opcode) {
    return opcode == CommandOpcode.ALLOC_TRANSPORT_DOMAIN
        || opcode >= CommandOpcode.CREATE_TIR && opcode < CommandOpcode.CREATE_RMP
        || opcode > CommandOpcode.QUERY_RMP && opcode < CommandOpcode.FPGA_CREATE_QP;
  }

  /**
   * XRC domains in a command that were not created by DevX: other clients may have them open, too.
   */
  private static List<Xrcd> domains(Session session, List<Name> names) {
    return session.handles().all(Xrcd.class).stream()
        .filter(
            xrcd ->
                names.stream()
                    .anyMatch(
                        name ->
                            name.kind() == ObjectKind.XRC_DOMAIN
                                && name.number() == xrcd.domain().number()))
        .toList();
  }

  // Replaces the client's umem in the command by the umem of the shared pages.
  private static Shared share(Session session, Name name, Field offset) throws IOException {
    DevxUmem umem = umem(session, name.number());
    SharedRanges.Place place = umem.share(session);
    name.view()
        .set(name.field(), place.umem())
        .set(offset, name.view().get(offset) + place.offset());
    return new Shared(umem, place);
  }

  private static DevxUmem umem(Session session, int number) {
    return session.handles().all(DevxUmem.class).stream()
        .filter(umem -> umem.number() == number)
        .findFirst()
        .orElseThrow(
            () ->
                new Refusal(
                    Errno.EINVAL, "umem 0x%x does not belong to the client".formatted(number)));
  }

  private static void requireOwn(Session session, Name name) {
    Handles handles = session.handles();
    int number = name.number();
    boolean own =
        owns(handles, name)
            || switch (name.kind()) {
              case UMEM -> umem(session, number).number() == number;
              case UAR_PAGE -> Uar.require(session, number) == number;
              case PROTECTION_DOMAIN ->
                  handles.all(Pd.class).stream().anyMatch(pd -> pd.number() == number);
              case COMPLETION_QUEUE ->
                  handles.all(Cq.class).stream().anyMatch(cq -> cq.number() == number);
              case RECEIVE_POOL, XRC_SRQ ->
                  handles.all(Srq.class).stream().anyMatch(srq -> srq.number() == number);
              case XRC_DOMAIN ->
                  handles.all(Xrcd.class).stream()
                      .anyMatch(xrcd -> xrcd.domain().number() == number);
              // Keys of device memory are created on the kernel's side; no command names the other
              // kinds.
              case DC_TARGET, DEVICE_MEMORY, MEMORY_KEY, QUEUE_PAIR, TAG_MATCHING_QUEUE -> false;
            };
    Refusal.require(
        own, Errno.EINVAL, "%s 0x%x does not belong to the client", name.field().name(), number);
  }

  private static boolean owns(Handles handles, Name name) {
    return handles.all(DevxObject.class).stream()
        .anyMatch(
            held ->
                name.kind().numbering() == held.kind.numbering()
                    && held.object.number() == name.number());
  }

  public static void modify(Session session, IoctlCall call) {
    session.requireDevx();
    HcaObject object = DevxCommand.object(session, call, DevxObjModifyAttrs.HANDLE);
    byte[] command = DevxCommand.of(call, DevxObjModifyAttrs.CMD_IN);
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    Refusal.require(
        MODIFICATIONS.contains(opcode),
        Errno.EINVAL,
        "%s (opcode 0x%x) is not a modification that the kernel passes on",
        CommandOpcode.name(opcode),
        opcode);
    CommandNames.of(command).forEach(name -> requireOwn(session, name));
    call.put(
        DevxObjModifyAttrs.CMD_OUT,
        DevxCommand.run(call, DevxObjModifyAttrs.CMD_OUT, () -> object.modify(command)));
  }

  public static void query(Session session, IoctlCall call) {
    session.requireDevx();
    HcaObject object = DevxCommand.object(session, call, DevxObjQueryAttrs.HANDLE);
    byte[] command = DevxCommand.of(call, DevxObjQueryAttrs.CMD_IN);
    call.put(
        DevxObjQueryAttrs.CMD_OUT,
        DevxCommand.run(call, DevxObjQueryAttrs.CMD_OUT, () -> object.query(command)));
  }

  public static void destroy(Session session, IoctlCall call) throws IOException {
    int handle = call.handle(DevxObjDestroyAttrs.HANDLE);
    if (session.handles().names(DevxMembership.class, handle)) {
      DevxMembership unused = session.handles().destroy(DevxMembership.class, handle);
      return;
    }
    DevxObject gone = session.handles().destroy(DevxObject.class, handle);
    EventFile.unsubscribe(session, gone.object);
  }

  @Override
  public HcaObject object() {
    return object;
  }

  /**
   * Whether objects of this kind raise events of a type.
   *
   * @param type see {@link HcaEvent}
   */
  boolean raises(int type) {
    return HcaEvent.typesOf(kind).contains(type);
  }

  @Override
  public int rank() {
    return kind.ordinal();
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    object.close();
    domains.forEach(xrcd -> xrcd.use(-1));
    for (Shared pages : shared) {
      pages.release(alive);
    }
  }
}
