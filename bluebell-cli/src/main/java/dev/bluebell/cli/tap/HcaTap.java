package dev.bluebell.cli.tap;

import dev.bluebell.hca.ChangingHca;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forwards all calls to a device, and remembers the memory of its queues, so that a demonstration
 * or a test can change bytes between driver and device. As thread-safe as the device.
 */
public class HcaTap extends ChangingHca {
  private final Map<Integer, MemorySegment> umems = new ConcurrentHashMap<>();
  private final Map<Integer, QueuePlaces> queuePairs = new ConcurrentHashMap<>();
  private final Map<Integer, QueuePlaces> completionQueues = new ConcurrentHashMap<>();
  private final Map<Integer, Long> pages = new ConcurrentHashMap<>();

  private volatile boolean leadsAnywhere;

  /** Wraps a device; closing this closes it. */
  public HcaTap(Hca hca) {
    super(hca);
  }

  /** False, so that the driver builds requests in the rings, where they can still be changed. */
  @Override
  public final boolean isSoftware() {
    return false;
  }

  /** Lets queue pairs connect to addresses that the device does not reach and would refuse. */
  public final void leadAnywhere() {
    leadsAnywhere = true;
  }

  @Override
  public final HcaPath resolve(int port, int gidIndex, Gid destination) {
    return super.resolve(port, gidIndex, leadsAnywhere ? queryGid(port, gidIndex) : destination);
  }

  /** The memory of a queue pair; its ring is that of the send queue. */
  public final QueuePlaces queuePair(int qpn) {
    return existing(queuePairs, "QP", qpn);
  }

  /** The memory of a completion queue. */
  public final QueuePlaces completionQueue(int cqn) {
    return existing(completionQueues, "CQ", cqn);
  }

  private static <T> T existing(Map<Integer, T> known, String kind, int number) {
    T found = known.get(number);
    if (found == null) {
      throw new IllegalArgumentException("there is no %s 0x%x".formatted(kind, number));
    }
    return found;
  }

  /** The rings of all send queues that were ever created. */
  protected final List<MemorySegment> sendQueues() {
    return queuePairs.values().stream().map(QueuePlaces::ring).toList();
  }

  @Override
  protected final void created(byte[] command, HcaObject object) {
    View in = View.over(command);
    switch (in.getInt(CmdIn.OPCODE)) {
      case CommandOpcode.CREATE_QP -> {
        // XRC targets have no send queue.
        if (!in.at(CreateQpIn.QPC).isSet(Qpc.NO_SQ)) {
          queuePairs.put(object.number(), queuePair(in, in.at(CreateQpIn.QPC)));
        }
      }
      case CommandOpcode.CREATE_CQ ->
          completionQueues.put(object.number(), completionQueue(in, in.at(CreateCqIn.CQ_CONTEXT)));
      default -> {}
    }
  }

  /** The send queue follows the receive queue. */
  private QueuePlaces queuePair(View command, View qpc) {
    long receiveBytes =
        qpc.getInt(Qpc.RQ_TYPE) == Qpc.RQ_TYPE_REGULAR
            ? 1L
                << qpc.getInt(Qpc.LOG_RQ_SIZE)
                    + qpc.getInt(Qpc.LOG_RQ_STRIDE)
                    + Qpc.LOG_RQ_STRIDE_OF_0
            : 0;
    return places(
        umem(command.getInt(CreateQpIn.WQ_UMEM_ID))
            .asSlice(
                command.get(CreateQpIn.WQ_UMEM_OFFSET) + receiveBytes,
                (long) ControlSegment.WQEBB_BYTES << qpc.getInt(Qpc.LOG_SQ_SIZE)),
        umem(qpc.getInt(Qpc.DBR_UMEM_ID)).asSlice(qpc.get(Qpc.DBR_ADDR), DoorbellRecord.BYTES),
        qpc.getInt(Qpc.UAR_PAGE));
  }

  private QueuePlaces completionQueue(View command, View cqc) {
    long entry = cqc.getInt(Cqc.CQE_SZ) == Cqc.CQE_SZ_128_BYTES ? Cqe.BYTES_128 : Cqe.BYTES;
    return places(
        umem(command.getInt(CreateCqIn.CQ_UMEM_ID))
            .asSlice(command.get(CreateCqIn.CQ_UMEM_OFFSET), entry << cqc.getInt(Cqc.LOG_CQ_SIZE)),
        umem(cqc.getInt(Cqc.DBR_UMEM_ID)).asSlice(cqc.get(Cqc.DBR_ADDR), DoorbellRecord.BYTES),
        cqc.getInt(Cqc.UAR_PAGE));
  }

  private QueuePlaces places(MemorySegment ring, MemorySegment record, int page) {
    return new QueuePlaces(ring, record, page, pages.getOrDefault(page, 0L));
  }

  private MemorySegment umem(int number) {
    return existing(umems, "umem", number);
  }

  @Override
  public final HcaUmem registerUmem(MemorySegment memory) {
    HcaUmem umem = super.registerUmem(memory);
    umems.put(umem.number(), memory);
    return umem;
  }

  @Override
  public final HcaUar allocateUar() {
    return noted(super.allocateUar());
  }

  @Override
  public final HcaUar allocateBlueFlameUar() {
    return noted(super.allocateBlueFlameUar());
  }

  private HcaUar noted(HcaUar page) {
    pages.put(page.number(), page.address());
    return page;
  }
}
