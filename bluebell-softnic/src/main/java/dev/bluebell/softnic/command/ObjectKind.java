package dev.bluebell.softnic.command;

import static dev.bluebell.hca.command.CommandOpcode.ALLOC_MEMIC;
import static dev.bluebell.hca.command.CommandOpcode.ALLOC_PD;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_CQ;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_MKEY;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_QP;
import static dev.bluebell.hca.command.CommandOpcode.CREATE_RMP;
import static dev.bluebell.hca.command.CommandOpcode.DEALLOC_MEMIC;
import static dev.bluebell.hca.command.CommandOpcode.DEALLOC_PD;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_CQ;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_MKEY;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_QP;
import static dev.bluebell.hca.command.CommandOpcode.DESTROY_RMP;
import static dev.bluebell.hca.command.CommandOpcode.INIT2INIT_QP;
import static dev.bluebell.hca.command.CommandOpcode.INIT2RTR_QP;
import static dev.bluebell.hca.command.CommandOpcode.MODIFY_CQ;
import static dev.bluebell.hca.command.CommandOpcode.MODIFY_RMP;
import static dev.bluebell.hca.command.CommandOpcode.QP_2ERR;
import static dev.bluebell.hca.command.CommandOpcode.QP_2RST;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_CQ;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_MKEY;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_QP;
import static dev.bluebell.hca.command.CommandOpcode.QUERY_RMP;
import static dev.bluebell.hca.command.CommandOpcode.RST2INIT_QP;
import static dev.bluebell.hca.command.CommandOpcode.RTR2RTS_QP;
import static dev.bluebell.hca.command.CommandOpcode.RTS2RTS_QP;
import static dev.bluebell.hca.command.CommandOpcode.SQD2RTS_QP;
import static dev.bluebell.hca.command.CommandOpcode.SQERR2RTS_QP;

import dev.bluebell.hca.command.AllocMemicIn;
import dev.bluebell.hca.command.AllocMemicOut;
import dev.bluebell.hca.command.CmdIn;
import dev.bluebell.hca.command.DeallocMemicIn;
import dev.bluebell.hca.command.Field;
import dev.bluebell.hca.command.View;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Kinds of object that a command creates, and the commands that go with each, as DevX lets user
 * space send them.
 */
public enum ObjectKind {
  PROTECTION_DOMAIN(ALLOC_PD, DEALLOC_PD, Set.of(), Set.of()),
  DEVICE_MEMORY(ALLOC_MEMIC, DEALLOC_MEMIC, Set.of(), Set.of()) {
    // Its address in the BAR is below 2^31.
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
  MEMORY_KEY(CREATE_MKEY, DESTROY_MKEY, Set.of(), Set.of(QUERY_MKEY)),
  COMPLETION_QUEUE(CREATE_CQ, DESTROY_CQ, Set.of(MODIFY_CQ), Set.of(QUERY_CQ)),
  RECEIVE_POOL(CREATE_RMP, DESTROY_RMP, Set.of(MODIFY_RMP), Set.of(QUERY_RMP)),
  QUEUE_PAIR(
      CREATE_QP,
      DESTROY_QP,
      Set.of(
          RST2INIT_QP,
          INIT2INIT_QP,
          INIT2RTR_QP,
          RTR2RTS_QP,
          RTS2RTS_QP,
          SQD2RTS_QP,
          SQERR2RTS_QP,
          QP_2ERR,
          QP_2RST),
      Set.of(QUERY_QP));

  /**
   * Every command that names an object by a number has it here, and so has the answer of the
   * command that creates the object.
   */
  public static final Field NUMBER = new Field("object number", 0x48, 24);

  private static final int DESTRUCTION_BYTES = 16;

  private final int create;
  private final int destroy;
  private final Set<Integer> modify;
  private final Set<Integer> query;

  ObjectKind(int create, int destroy, Set<Integer> modify, Set<Integer> query) {
    this.create = create;
    this.destroy = destroy;
    this.modify = modify;
    this.query = query;
  }

  /** The kind that a command creates. */
  public static Optional<ObjectKind> createdBy(int opcode) {
    return Stream.of(values()).filter(kind -> kind.create == opcode).findFirst();
  }

  /** The number of the object that a command created, of which this is the answer. */
  public int number(View answer) {
    return answer.getInt(NUMBER);
  }

  /** The command that destroys what a command created. */
  public byte[] destruction(View command, View answer) {
    return View.over(new byte[DESTRUCTION_BYTES])
        .set(CmdIn.OPCODE, destroy)
        .set(NUMBER, number(answer))
        .bytes();
  }

  public boolean isModifiedBy(int opcode) {
    return modify.contains(opcode);
  }

  public boolean isQueriedBy(int opcode) {
    return query.contains(opcode);
  }
}
