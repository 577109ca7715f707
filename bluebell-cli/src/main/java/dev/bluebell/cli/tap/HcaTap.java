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
import dev.bluebell.hca.structure.View;
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
  private final Map<Integer, MemorySegment> sendQueues = new ConcurrentHashMap<>();
  private final Map<Integer, MemorySegment> completionQueues = new ConcurrentHashMap<>();
  private final Map<Integer, QueuePlaces> queuePairs = new ConcurrentHashMap<>();
  private final Map<Integer, MemorySegment> completionRecords = new ConcurrentHashMap<>();
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

  /** The ring of a queue pair's send queue. */
  public final MemorySegment sendQueue(int qpn) {
    return existing(sendQueues, "QP", qpn);
  }

  /** Addresses of a queue pair's doorbell record and UAR page. */
  public final QueuePlaces queuePair(int qpn) {
    return existing(queuePairs, "QP", qpn);
  }

  /** The ring of a completion queue. */
  public final MemorySegment completionQueue(int cqn) {
    return existing(completionQueues, "CQ", cqn);
  }

  /** The doorbell record of a completion queue. */
  public final MemorySegment completionRecord(int cqn) {
    return existing(completionRecords, "CQ", cqn);
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
    return List.copyOf(sendQueues.values());
  }

  @Override
  protected final void created(byte[] command, HcaObject object) {
    switch (View.over(command).getInt(CmdIn.OPCODE)) {
      case CommandOpcode.CREATE_QP -> {
        if (QueueLocation.hasSendQueue(command)) {
          sendQueues.put(object.number(), QueueLocation.sendQueue(command, umems));
          queuePairs.put(object.number(), QueueLocation.places(command, umems, pages));
        }
      }
      case CommandOpcode.CREATE_CQ -> {
        completionQueues.put(object.number(), QueueLocation.completionQueue(command, umems));
        completionRecords.put(object.number(), QueueLocation.completionRecord(command, umems));
      }
      default -> {}
    }
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
