package dev.bluebell.softnic.fabric;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.translation.ReorderedMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The fabric of a device whose memory reorders payload ({@link ReorderedMemory}). Requests do not
 * cut through, and a queue pair responds only once the payload delivered to it is visible, so a
 * requester that has the response can rely on that. Owned by the thread that runs the engine.
 */
public final class OrderedFabric extends PassingFabric {
  private final ReorderedMemory memory;

  public OrderedFabric(Fabric inside, ReorderedMemory memory) {
    super(inside);
    this.memory = memory;
  }

  @Override
  protected boolean send(Packet packet, Route route, Work sender) {
    return (!BthOpcode.isResponse(packet.opcode) || memory.isVisible(packet.sourceQpn, sender))
        && route.send(packet);
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>(super.lines());
    lines.addAll(memory.lines());
    return lines;
  }

  /**
   * Announces each packet and its possible effects to the memory, and passes it to another sink.
   */
  public static final class Sink extends PassingSink {
    private final ReorderedMemory memory;

    /**
     * @param sink takes all packets
     */
    public Sink(PacketSink sink, ReorderedMemory memory) {
      super(sink);
      this.memory = memory;
    }

    @Override
    public void arrive(Packet packet) {
      int opcode = packet.opcode;
      memory.arrives(packet.destinationQpn, BthOpcode.isSend(opcode), mayComplete(opcode));
      try {
        super.arrive(packet);
      } finally {
        memory.arrived();
      }
    }

    // READs and atomics are executed after everything that came before them.
    private static boolean mayComplete(int opcode) {
      return BthOpcode.isLast(opcode)
          && (!BthOpcode.isWrite(opcode) || BthOpcode.hasImmediate(opcode));
    }
  }
}
