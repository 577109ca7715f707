package dev.bluebell.program.plan;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.program.image.EntryPoint;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the bytes of a plan for a placement. */
public final class ImageBuilder {
  private static final int UNITS_OF_A_WQEBB = ControlSegment.WQEBB_BYTES / ControlSegment.BYTES;

  /** Placeholder in entries for the client's memory, whose place the client sends. */
  private static final Placement.Range CLIENTS = new Placement.Range(0, 0, 0);

  private final Plan plan;
  private final Placement placement;
  private final Map<Block, Entry> places = new IdentityHashMap<>();

  private ImageBuilder(Plan plan, Placement placement) {
    this.plan = plan;
    this.placement = placement;
    for (Lane lane : Lane.values()) {
      for (Entry entry : plan.queue(lane)) {
        switch (entry.action()) {
          case Entry.Work work -> places.put(work.instruction(), entry);
          case Entry.Enable enable when enable.gate() != null -> places.put(enable.gate(), entry);
          case Entry.Enable _, Entry.Wait _, Entry.Pad _ -> {}
        }
      }
    }
  }

  /** Names of the regions of an image that contain data of the program's source. */
  public static Set<String> dataRegions(Plan plan) {
    return plan.data().stream().map(ImageBuilder::regionName).collect(Collectors.toSet());
  }

  private static String regionName(Area data) {
    return "data " + data.name();
  }

  public static ProgramImage build(Plan plan, Placement placement) {
    return new ImageBuilder(plan, placement).image();
  }

  private ProgramImage image() {
    List<Region> regions = new ArrayList<>();
    List<Queue> queues = new ArrayList<>();
    regions.add(region("words", placement.words(), words(), plan.wordRights()));
    for (Area data : plan.data()) {
      byte[] content = new byte[data.bytes()];
      write(data, content, 0);
      regions.add(region(regionName(data), placement.data(data), content, plan.rights(data)));
    }
    for (Lane lane : plan.lanes()) {
      Placement.Queue place = placement.queue(lane);
      Ring ring =
          ring(
              lane.text() + " sends",
              place.ring(),
              sends(lane),
              plan.wqebbs(lane),
              plan.rights(lane));
      regions.add(ring.region());
      Ring receives = null;
      if (lane == Lane.CLIENT) {
        receives = ring("receives", placement.receives(), receives(), 1, Set.of());
        regions.add(receives.region());
        byte[] posted = {0, 0, 0, 1};
        regions.add(region("receive record", placement.record(), posted, plan.recordRights()));
      }
      queues.add(
          new Queue(
              lane.text(),
              place.qpn(),
              place.peer(),
              lane.isManaged(),
              true,
              ring,
              receives,
              lane == Lane.CLIENT ? placement.record().address() : 0,
              placement.counter(Counter.of(lane)),
              placement.counter(lane == Lane.CLIENT ? Counter.CALLS : Counter.of(lane))));
    }
    return new ProgramImage(
        queues,
        plan.counters().stream().map(placement::counter).toList(),
        regions,
        List.of(
            new EntryPoint(plan.name(), placement.queue(Lane.CLIENT).qpn(), plan.messageBytes())));
  }

  private static Region region(
      String name, Placement.Range range, byte[] content, Set<Right> rights) {
    return new Region(
        name, Region.Owner.PROGRAM, range.address(), content, range.lkey(), range.rkey(), rights);
  }

  private static Ring ring(
      String name, Placement.Slots slots, byte[] content, int posted, Set<Right> rights) {
    byte[] all = Arrays.copyOf(content, 1 << slots.logStride() + slots.logSlots());
    Region region = region(name, slots.range(), all, rights);
    return new Ring(region, 0, slots.logStride(), slots.logSlots(), posted);
  }

  // ---- memory

  private byte[] words() {
    byte[] content = new byte[plan.wordBytes()];
    plan.words().forEach(area -> write(area, content, plan.offset(area)));
    return content;
  }

  private void write(Area area, byte[] content, int offset) {
    byte[] bytes = area.content();
    System.arraycopy(bytes, 0, content, offset, bytes.length);
    area.addresses()
        .forEach((at, to) -> new Field("address", 0, 64).set(content, offset + at, address(to)));
  }

  private Placement.Range range(Block block) {
    return switch (block) {
      case Area area when area.isData() -> placement.data(area);
      case Area _ -> placement.words();
      case Instruction instruction -> placement.queue(instruction.lane()).ring().range();
      case Gate gate -> placement.queue(gate.lane()).ring().range();
      case Slot slot -> placement.queue(slot.lane()).ring().range();
      case ReceiveRecord _ -> placement.record();
      case ClientMemory _ -> CLIENTS;
    };
  }

  private long address(Span span) {
    long block =
        switch (span.block()) {
          case Area area -> plan.offset(area);
          case Instruction _, Gate _ ->
              (long) entry(span.block()).index() << ControlSegment.LOG_WQEBB_BYTES;
          case Slot slot -> (long) slot.index() << ControlSegment.LOG_WQEBB_BYTES;
          case ReceiveRecord _, ClientMemory _ -> 0;
        };
    return range(span.block()).address() + block + span.offset();
  }

  private Entry entry(Block block) {
    Entry entry = places.get(block);
    if (entry == null) {
      throw new IllegalArgumentException("%s is not in a queue".formatted(block));
    }
    return entry;
  }

  // ---- entries

  private byte[] sends(Lane lane) {
    byte[] ring = new byte[plan.wqebbs(lane) << ControlSegment.LOG_WQEBB_BYTES];
    for (Entry entry : plan.queue(lane)) {
      write(entry, ring, entry.index() << ControlSegment.LOG_WQEBB_BYTES);
    }
    return ring;
  }

  private void write(Entry entry, byte[] ring, int at) {
    ControlSegment.OPCODE.set(ring, at, entry.opcode());
    ControlSegment.INDEX.set(ring, at, entry.index());
    ControlSegment.QPN.set(ring, at, placement.queue(entry.lane()).qpn());
    int completion = entry.signalled() ? ControlSegment.CE_ALWAYS : ControlSegment.CE_ON_ERROR;
    ControlSegment.FM_CE_SE.set(ring, at, entry.fence().bits() | completion);
    int body = at + ControlSegment.BYTES;
    switch (entry.action()) {
      case Entry.Work work -> write(work.instruction(), ring, at);
      case Entry.Pad pad ->
          ControlSegment.DS.set(
              ring, at, Math.min(ControlSegment.MAX_DS, pad.slots() * UNITS_OF_A_WQEBB));
      case Entry.Wait wait -> {
        ControlSegment.DS.set(ring, at, 2);
        QueueSegment.PRODUCER_INDEX.set(ring, body, wait.completion());
        QueueSegment.CQN.set(ring, body, placement.counter(wait.counter()));
      }
      case Entry.Enable enable -> {
        ControlSegment.DS.set(ring, at, 2);
        QueueSegment.MAX_INDEX.set(ring, body, enable.limit());
        QueueSegment.QPN.set(ring, body, placement.queue(enable.target()).qpn());
      }
    }
  }

  private void write(Instruction instruction, byte[] ring, int entry) {
    ControlSegment.OPMOD.set(ring, entry, instruction.initialOpmod());
    ControlSegment.DS.set(ring, entry, instruction.ds());
    if (instruction.isBare()) {
      ControlSegment.INDEX.set(ring, entry, 0);
      ControlSegment.QPN.set(ring, entry, 0);
    }
    ControlSegment.IMM.set(ring, entry, instruction.immediate());
    int at = entry + ControlSegment.BYTES;
    Address remote = instruction.remote();
    if (remote != null) {
      RemoteAddressSegment.ADDRESS.set(ring, at, remote.known() ? address(remote.span()) : 0);
      RemoteAddressSegment.RKEY.set(ring, at, range(remote.span().block()).rkey() & 0xffffffffL);
      at += RemoteAddressSegment.BYTES;
    }
    byte[] operands = instruction.operands();
    System.arraycopy(operands, 0, ring, at, operands.length);
    Area addend = instruction.addend();
    if (addend != null) {
      Field operand = new Field("add", 0, 64);
      operand.set(ring, at, operand.get(ring, at) + address(addend.whole()));
    }
    at += operands.length;
    for (Instruction.Local local : instruction.local()) {
      data(ring, at, local);
      at += DataSegment.BYTES;
    }
  }

  private void data(byte[] ring, int at, Instruction.Local local) {
    Address address = local.address();
    DataSegment.BYTE_COUNT.set(ring, at, local.bytes());
    DataSegment.LKEY.set(ring, at, range(address.span().block()).lkey() & 0xffffffffL);
    DataSegment.ADDRESS.set(ring, at, address.known() ? address(address.span()) : 0);
  }

  /** The receive ring, whose entries are all the same. */
  private byte[] receives() {
    int slots = 1 << placement.receives().logSlots();
    byte[] entry = receive();
    byte[] all = new byte[slots * entry.length];
    for (int slot = 0; slot < slots; slot++) {
      System.arraycopy(entry, 0, all, slot * entry.length, entry.length);
    }
    return all;
  }

  private byte[] receive() {
    byte[] entry = new byte[1 << placement.receives().logStride()];
    int at = 0;
    for (MessagePart part : plan.message()) {
      data(entry, at, new Instruction.Local(Address.of(part.to()), part.to().length()));
      at += DataSegment.BYTES;
    }
    if (at < entry.length) {
      DataSegment.LKEY.set(entry, at, DataSegment.INVALID_LKEY);
    }
    return entry;
  }
}
