package dev.bluebell.conformance;

import static java.util.Objects.requireNonNull;

import dev.bluebell.hca.ChangingHca;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A device with which tests bypass the driver: it modifies commands on their way, and exposes the
 * memory of rings, so that requests can be modified before their doorbell. Used by the test's
 * thread, and by the driver's threads that call it.
 */
final class TamperingHca extends ChangingHca {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  private static final VarHandle COUNTER =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

  private final List<MemorySegment> memory = new CopyOnWriteArrayList<>();
  private final Map<Integer, MemorySegment> umems = new ConcurrentHashMap<>();

  /** Doorbell records by queue pair number. */
  private final Map<Integer, MemorySegment> records = new ConcurrentHashMap<>();

  private boolean buildsInRings;

  TamperingHca(Hca target) {
    super(target);
  }

  /**
   * Makes the driver build the requests of later queue pairs in their rings, as for a card, so that
   * {@link #posted} finds them before their doorbell.
   */
  void buildInRings() {
    buildsInRings = true;
  }

  @Override
  public boolean isSoftware() {
    return super.isSoftware() && !buildsInRings;
  }

  @Override
  protected void created(byte[] command, HcaObject object) {
    View in = View.over(command);
    if (in.getInt(CmdIn.OPCODE) == CommandOpcode.CREATE_QP) {
      View qpc = in.at(CreateQpIn.QPC);
      MemorySegment umem = umems.get(qpc.getInt(Qpc.DBR_UMEM_ID));
      if (umem != null) {
        records.put(object.number(), umem.asSlice(qpc.get(Qpc.DBR_ADDR), DoorbellRecord.BYTES));
      }
    }
  }

  /** Sets a field in the context of each queue pair that is created from now on. */
  void changeQueuePairs(Field field, long value) {
    change(CommandOpcode.CREATE_QP, in -> in.at(CreateQpIn.QPC).set(field, value));
  }

  @Override
  public HcaUmem registerUmem(MemorySegment segment) {
    HcaUmem umem = super.registerUmem(segment);
    umems.put(umem.number(), segment);
    return umem;
  }

  @Override
  public MemorySegment allocate(long bytes) {
    MemorySegment segment = super.allocate(bytes);
    memory.add(segment);
    return segment;
  }

  /**
   * Finds a send request that was posted but not rung, in a ring that has not wrapped. Call {@link
   * #buildInRings} before the queue pair is created, unless it takes part in NIC programs.
   *
   * @return the entry, up to its end
   */
  MemorySegment posted(int qpn, int index) {
    for (MemorySegment segment : memory) {
      for (long at = 0; at < segment.byteSize(); at += ControlSegment.WQEBB_BYTES) {
        long first = segment.get(WORD, at);
        int bytes = ControlSegment.ds(first) * ControlSegment.BYTES;
        if (ControlSegment.qpn(first) == qpn
            && ControlSegment.wqeIndex(first) == index
            && bytes > 0
            && at + bytes <= segment.byteSize()) {
          return segment.asSlice(at, bytes);
        }
      }
    }
    throw new AssertionError("no ring holds request %d of QP 0x%x".formatted(index, qpn));
  }

  /** Writes the send counter of a queue pair's doorbell record, but not its register. */
  void countPosted(int qpn, int wqebbs) {
    COUNTER.setRelease(requireNonNull(records.get(qpn)), (long) DoorbellRecord.SEND, wqebbs);
  }

  /** Finds the data segment of a request that was posted but not rung, by key and address. */
  MemorySegment dataSegment(int key, long address) {
    for (MemorySegment segment : memory) {
      for (long at = 0; at < segment.byteSize(); at += DataSegment.BYTES) {
        if (DataSegment.lkey(segment.get(WORD, at)) == key
            && segment.get(WORD, at + Long.BYTES) == address) {
          return segment.asSlice(at);
        }
      }
    }
    throw new AssertionError("no ring holds a segment with key 0x%x".formatted(key));
  }

  /**
   * A command that creates a memory key with local rights for every queue pair.
   *
   * @param memory must be one page of 4096 bytes for a valid command
   */
  static View keyCommand(ProtectionDomain domain, HcaUmem umem, MemorySegment memory) {
    View command =
        View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY)
            .set(CreateMkeyIn.MKEY_UMEM_ID, umem.number())
            .set(CreateMkeyIn.MKEY_UMEM_VALID, true);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, 1)
        .set(Mkc.LW, true)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.PD, domain.number())
        .set(Mkc.START_ADDR, memory.address())
        .set(Mkc.LEN, memory.byteSize())
        .set(Mkc.LOG_PAGE_SIZE, 12)
        .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, 1);
    return command;
  }

  /** Number of occurrences of bytes in the driver's queues and allocated regions. */
  int count(byte[] bytes) {
    int count = 0;
    for (MemorySegment segment : memory) {
      for (long at = 0; at + bytes.length <= segment.byteSize(); at++) {
        if (segment.get(ValueLayout.JAVA_BYTE, at) == bytes[0]
            && MemorySegment.mismatch(
                    segment, at, at + bytes.length, MemorySegment.ofArray(bytes), 0, bytes.length)
                < 0) {
          count++;
        }
      }
    }
    return count;
  }
}
