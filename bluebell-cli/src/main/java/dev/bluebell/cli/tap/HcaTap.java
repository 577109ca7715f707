package dev.bluebell.cli.tap;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.View;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes everything on to a device, and remembers where queues lie, so that a demonstration or a
 * test can change bytes on their way. Thread-safe as the device is.
 */
public class HcaTap extends ForwardingHca {
  private final Map<Integer, MemorySegment> umems = new ConcurrentHashMap<>();
  private final Map<Integer, MemorySegment> sendQueues = new ConcurrentHashMap<>();
  private final Map<Integer, MemorySegment> completionQueues = new ConcurrentHashMap<>();
  private final List<MemorySegment> regions = new CopyOnWriteArrayList<>();

  /** Wraps a device; closing this closes it. */
  public HcaTap(Hca hca) {
    super(hca);
  }

  /** The ring of a queue pair's send queue. */
  public final MemorySegment sendQueue(int qpn) {
    MemorySegment ring = sendQueues.get(qpn);
    if (ring == null) {
      throw new IllegalArgumentException("there is no QP 0x%x".formatted(qpn));
    }
    return ring;
  }

  /** The rings of all send queues that were ever created. */
  protected final List<MemorySegment> sendQueues() {
    return List.copyOf(sendQueues.values());
  }

  /** The rings of all completion queues that were ever created. */
  protected final List<MemorySegment> completionQueues() {
    return List.copyOf(completionQueues.values());
  }

  /** All memory that was ever registered for work requests, oldest first. */
  protected final List<MemorySegment> regions() {
    return regions;
  }

  @Override
  public final HcaObject create(byte[] command) {
    HcaObject object = super.create(command);
    switch (View.over(command).getInt(CmdIn.OPCODE)) {
      case CommandOpcode.CREATE_QP -> {
        if (QueueLocation.hasSendQueue(command)) {
          sendQueues.put(object.number(), QueueLocation.sendQueue(command, umems));
        }
      }
      case CommandOpcode.CREATE_CQ ->
          completionQueues.put(object.number(), QueueLocation.completionQueue(command, umems));
      default -> {}
    }
    return object;
  }

  @Override
  public final HcaUmem registerUmem(MemorySegment memory) {
    HcaUmem umem = super.registerUmem(memory);
    umems.put(umem.number(), memory);
    return umem;
  }

  @Override
  public final HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    HcaMemory registered = super.registerMemory(domain, memory, address, access);
    regions.add(memory);
    return registered;
  }
}
