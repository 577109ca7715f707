package dev.bluebell.softnic.fabric;

import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.translation.ReorderedMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Around the fabric of a device whose memory reorders payload ({@link ReorderedMemory}): nothing
 * cuts through, and a queue pair answers a request when what was delivered to it is visible, so
 * that a requester which knows of an answer knows that. Owned by the thread that runs the engine.
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

  /** Takes packets as another sink does, and tells the memory what they may lead to. */
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

    // READs and atomics are executed behind all that came before them.
    private static boolean mayComplete(int opcode) {
      return BthOpcode.isLast(opcode)
          && (!BthOpcode.isWrite(opcode) || BthOpcode.hasImmediate(opcode));
    }
  }
}
