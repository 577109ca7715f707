package dev.bluebell.hca.command;

import static dev.bluebell.hca.command.CommandOpcode.ALLOC_MEMIC;
import static dev.bluebell.hca.command.CommandOpcode.ALLOC_PD;
import static dev.bluebell.hca.command.CommandOpcode.ALLOC_UAR;
import static dev.bluebell.hca.command.CommandOpcode.ALLOC_XRCD;
import static dev.bluebell.hca.command.CommandOpcode.ARM_DCT_FOR_KEY_VIOLATION;
import static dev.bluebell.hca.command.CommandOpcode.ARM_XRC_SRQ;
import static dev.bluebell.hca.command.CommandOpcode.ARM_XRQ;
import static dev.bluebell.hca.command.CommandOpcode.ATTACH_TO_MCG;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_CQ;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_DCT;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_MKEY;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_QP;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_RMP;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_UMEM;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_XRC_SRQ;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_XRQ;
import static dev.bluebell.hca.command.CommandOpcode.DEALLOC_MEMIC;
import static dev.bluebell.hca.command.CommandOpcode.DEALLOC_PD;
import static dev.bluebell.hca.command.CommandOpcode.DEALLOC_UAR;
import static dev.bluebell.hca.command.CommandOpcode.DEALLOC_XRCD;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_CQ;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_DCT;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_MKEY;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_QP;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_RMP;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_UMEM;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_XRC_SRQ;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_XRQ;
import static dev.bluebell.hca.command.CommandOpcode.DETACH_FROM_MCG;
import static dev.bluebell.hca.command.CommandOpcode.DRAIN_DCT;
import static dev.bluebell.hca.command.CommandOpcode.INIT2INIT_QP;
import static dev.bluebell.hca.command.CommandOpcode.INIT2RTR_QP;
import static dev.bluebell.hca.command.CommandOpcode.MODIFY_CQ;
import static dev.bluebell.hca.command.CommandOpcode.MODIFY_RMP;
import static dev.bluebell.hca.command.CommandOpcode.QP_2ERR;
import static dev.bluebell.hca.command.CommandOpcode.QP_2RST;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_CQ;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_DCT;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_MKEY;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_QP;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_RMP;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_XRC_SRQ;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_XRQ;
import static dev.bluebell.hca.command.CommandOpcode.RST2INIT_QP;
import static dev.bluebell.hca.command.CommandOpcode.RTR2RTS_QP;
import static dev.bluebell.hca.command.CommandOpcode.RTS2RTS_QP;
import static dev.bluebell.hca.command.CommandOpcode.SQD2RTS_QP;
import static dev.bluebell.hca.command.CommandOpcode.SQERR2RTS_QP;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MemoryCommands.DeallocMemicIn;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The kinds of objects that commands create, each with its short name, the sender of its creating
 * command, the opcodes that create, query, modify and destroy it, and the names of the fields by
 * which commands refer to it. A kind uses only kinds below it in this list, so objects are
 * destroyed in this order.
 */
public enum ObjectKind {
  QUEUE_PAIR(
      "QP",
      Maker.CLIENT,
      CREATE_QP,
      Set.of(QUERY_QP),
      Set.of(
          RST2INIT_QP,
          INIT2INIT_QP,
          INIT2RTR_QP,
          RTR2RTS_QP,
          RTS2RTS_QP,
          SQD2RTS_QP,
          SQERR2RTS_QP,
          QP_2ERR,
          QP_2RST,
          ATTACH_TO_MCG,
          DETACH_FROM_MCG),
      DESTROY_QP,
      Set.of()),
  DC_TARGET(
      "DCT",
      Maker.CLIENT,
      CREATE_DCT,
      Set.of(QUERY_DCT),
      Set.of(DRAIN_DCT, ARM_DCT_FOR_KEY_VIOLATION),
      DESTROY_DCT,
      Set.of()),
  /** Shares its numbers with the receive pools: one field of a queue pair names either. */
  TAG_MATCHING_QUEUE(
      "XRQ", Maker.CLIENT, CREATE_XRQ, Set.of(QUERY_XRQ), Set.of(ARM_XRQ), DESTROY_XRQ, Set.of()) {
    @Override
    public ObjectKind numbering() {
      return RECEIVE_POOL;
    }
  },
  /** Shares its numbers with the receive pools, as in Linux, which assigns XRC initiators one. */
  XRC_SRQ(
      "XRC SRQ",
      Maker.CLIENT,
      CREATE_XRC_SRQ,
      Set.of(QUERY_XRC_SRQ),
      Set.of(ARM_XRC_SRQ),
      DESTROY_XRC_SRQ,
      Set.of("xrc_srqn")) {
    @Override
    public ObjectKind numbering() {
      return RECEIVE_POOL;
    }
  },
  RECEIVE_POOL(
      "RMP",
      Maker.CLIENT,
      CREATE_RMP,
      Set.of(QUERY_RMP),
      Set.of(MODIFY_RMP),
      DESTROY_RMP,
      Set.of("srqn_rmpn_xrqn", "srqn_xrqn")),
  COMPLETION_QUEUE(
      "CQ",
      Maker.CLIENT,
      CREATE_CQ,
      Set.of(QUERY_CQ),
      Set.of(MODIFY_CQ),
      DESTROY_CQ,
      Set.of("cqn", "cqn_snd", "cqn_rcv")),
  MEMORY_KEY(
      "mkey", Maker.CLIENT, CREATE_MKEY, Set.of(QUERY_MKEY), Set.of(), DESTROY_MKEY, Set.of()),
  /**
   * Its number is its address in the BAR, which is below 2^31; memory keys refer to it by this
   * address.
   */
  DEVICE_MEMORY(
      "device memory", Maker.KERNEL, ALLOC_MEMIC, Set.of(), Set.of(), DEALLOC_MEMIC, Set.of()) {
    @Override
    public int number(View answer) {
      return (int) answer.get(AllocMemicOut.MEMIC_START_ADDR);
    }

    @Override
    public byte[] destruction(View command, View answer) {
      return View.command(DeallocMemicIn.STRUCTURE, DEALLOC_MEMIC)
          .set(DeallocMemicIn.MEMIC_START_ADDR, answer.get(AllocMemicOut.MEMIC_START_ADDR))
          .set(DeallocMemicIn.MEMIC_SIZE, command.get(AllocMemicIn.MEMIC_SIZE))
          .bytes();
    }
  },
  XRC_DOMAIN("XRCD", Maker.CLIENT, ALLOC_XRCD, Set.of(), Set.of(), DEALLOC_XRCD, Set.of("xrcd")),
  PROTECTION_DOMAIN("PD", Maker.CLIENT, ALLOC_PD, Set.of(), Set.of(), DEALLOC_PD, Set.of("pd")),
  UAR_PAGE("UAR", Maker.KERNEL, ALLOC_UAR, Set.of(), Set.of(), DEALLOC_UAR, Set.of("uar_page")),
  UMEM(
      "umem",
      Maker.KERNEL,
      CREATE_UMEM,
      Set.of(),
      Set.of(),
      DESTROY_UMEM,
      Set.of("dbr_umem_id", "wq_umem_id", "cq_umem_id", "mkey_umem_id"));

  /**
   * The object number, at the same place in every command about an object and in the answer of the
   * command that creates it. Only device memory differs.
   */
  public static final Field NUMBER = new Field("object number", 0x48, 24);

  private static final int COMMAND_BYTES = 16;

  private final String word;
  private final Maker maker;
  private final int create;
  private final Set<Integer> query;
  private final Set<Integer> modify;
  private final int destroy;
  private final Set<String> names;

  ObjectKind(
      String word,
      Maker maker,
      int create,
      Set<Integer> query,
      Set<Integer> modify,
      int destroy,
      Set<String> names) {
    this.word = word;
    this.maker = maker;
    this.create = create;
    this.query = query;
    this.modify = modify;
    this.destroy = destroy;
    this.names = names;
  }

  /** The sender of the command that creates an object. */
  private enum Maker {
    /** A client, by DevX. */
    CLIENT,
    /** The kernel's side; clients request such an object in another way. */
    KERNEL
  }

  /** The kind that a command creates; empty for a command that creates no object. */
  public static Optional<ObjectKind> createdBy(int opcode) {
    return Stream.of(values()).filter(kind -> kind.create == opcode).findFirst();
  }

  /**
   * The kind that a field refers to by this name; empty for a field that does not refer to an
   * object.
   */
  public static Optional<ObjectKind> namedBy(String field) {
    return Stream.of(values()).filter(kind -> kind.names.contains(field)).findFirst();
  }

  /** True when clients send the creating command; the kernel's side creates the other objects. */
  public boolean isMadeByClients() {
    return maker == Maker.CLIENT;
  }

  /** The opcode that creates an object. */
  public int create() {
    return create;
  }

  /** The opcodes that query an object. */
  public Set<Integer> query() {
    return query;
  }

  /** The opcodes that modify an object. */
  public Set<Integer> modify() {
    return modify;
  }

  /** The opcode that destroys an object. */
  public int destroy() {
    return destroy;
  }

  /**
   * The names, as in {@code mlx5_ifc.h}, of the fields by which commands refer to an object. A
   * field with value 0 refers to no object.
   */
  public Set<String> names() {
    return names;
  }

  /**
   * The kind with which this kind shares its numbers, and by whose field names commands may refer
   * to it.
   */
  public ObjectKind numbering() {
    return this;
  }

  /** The number of the object that a command created, from the answer to that command. */
  public int number(View answer) {
    return answer.getInt(NUMBER);
  }

  /**
   * A command about an object that has no other attributes.
   *
   * @param opcode see {@link CommandOpcode}
   */
  public byte[] command(int opcode, int number) {
    return View.over(new byte[COMMAND_BYTES]).set(CmdIn.OPCODE, opcode).set(NUMBER, number).bytes();
  }

  /** Its name in lists and messages, before the number of an object. */
  @Override
  public String toString() {
    return word;
  }

  /** The command that destroys the object that {@code command} created with this answer. */
  public byte[] destruction(View command, View answer) {
    return command(destroy, number(answer));
  }
}
