package dev.bluebell.program.plan;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.Buffer;
import dev.bluebell.program.Input;
import dev.bluebell.program.image.Right;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A compiled program: the entries of its queues, without numbers, keys and addresses.
 *
 * @param name name of the program
 * @param queues the entries of each queue, in order
 * @param areas its memory, in the order in which it is laid out
 * @param message parts of the client's message
 * @param calls number of calls that it answers
 */
public record Plan(
    String name,
    Map<Lane, List<Entry>> queues,
    List<Area> areas,
    List<MessagePart> message,
    Calls calls) {
  /** Copies lists and map. */
  public Plan {
    Map<Lane, List<Entry>> copy = new EnumMap<>(Lane.class);
    for (Lane lane : Lane.values()) {
      copy.put(lane, List.copyOf(queues.getOrDefault(lane, List.of())));
    }
    queues = copy;
    areas = List.copyOf(areas);
    message = List.copyOf(message);
  }

  public List<Lane> lanes() {
    return Arrays.stream(Lane.values()).filter(this::isThere).toList();
  }

  /** Its completion queues. */
  public List<Counter> counters() {
    return Arrays.stream(Counter.values()).filter(counter -> isThere(counter.lane())).toList();
  }

  private boolean isThere(Lane lane) {
    return !lane.isOptional() || !queue(lane).isEmpty();
  }

  public List<Entry> queue(Lane lane) {
    return queues.getOrDefault(lane, List.of());
  }

  /** Number of WQEBBs of a queue. */
  public int wqebbs(Lane lane) {
    return queue(lane).stream().mapToInt(Entry::wqebbs).sum();
  }

  /** Length of the client's message. */
  public int messageBytes() {
    return message.stream().mapToInt(part -> part.to().length()).sum();
  }

  /**
   * The client's message.
   *
   * @param inputs the bytes of every input, and the {@linkplain Buffer#place() place} of every
   *     buffer
   * @throws IllegalArgumentException when an input is missing or has another length
   */
  public byte[] encode(Map<Input<?>, byte[]> inputs) {
    ByteBuffer bytes = ByteBuffer.allocate(messageBytes());
    for (MessagePart part : message) {
      byte[] value = inputs.get(part.input());
      if (value == null || value.length != part.input().bytes()) {
        throw new IllegalArgumentException(
            "input %s of %s %s: give it %s"
                .formatted(
                    part.input(),
                    name,
                    value == null ? "is missing" : "has " + Counted.of(value.length, "byte"),
                    Counted.of(part.input().bytes(), "byte")));
      }
      bytes.put(part.encode(value));
    }
    return bytes.array();
  }

  /** How often a call of the program starts its subprogram, even if only to do nothing. */
  public int calledTimes() {
    return (int)
        queue(Lane.WORKER).stream()
            .filter(
                entry ->
                    entry.action() instanceof Entry.Enable enable
                        && enable.target() == Lane.SUBPROGRAM)
            .count();
  }

  /** Memory of the client that it writes to; its address and key are inputs as well. */
  public List<Buffer> buffers() {
    List<Buffer> buffers = new ArrayList<>();
    for (Entry entry : queue(Lane.CLIENT)) {
      if (entry.action() instanceof Entry.Work work
          && work.instruction().remote() instanceof Address to
          && to.span().block() instanceof ClientMemory memory
          && !buffers.contains(memory.buffer())) {
        buffers.add(memory.buffer());
      }
    }
    return buffers;
  }

  /** Maximum number of answers to a call that take a receive of the client. */
  public int mostAnswers() {
    return (int) answers().count();
  }

  /** Length in bytes of the longest answer, in a message or in a buffer; 0 when there is none. */
  public int longestAnswer() {
    int message =
        answers()
            .mapToInt(answer -> answer.local().stream().mapToInt(Instruction.Local::bytes).sum())
            .max()
            .orElse(0);
    return Math.max(message, buffers().stream().mapToInt(Buffer::bytes).max().orElse(0));
  }

  /** Messages, and WRITEs to the client that are reported to it. */
  private Stream<Instruction> answers() {
    return instructions()
        .filter(each -> each.lane() == Lane.CLIENT && each.opcode() != WqeOpcode.RDMA_WRITE);
  }

  public Area area(String areaName) {
    return areas.stream()
        .filter(area -> area.name().equals(areaName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " has no " + areaName));
  }

  /** The program's data, each with a region of its own. */
  public List<Area> data() {
    return areas.stream().filter(Area::isData).toList();
  }

  /** The areas that share a region, laid out consecutively, each aligned to 8 bytes. */
  public List<Area> words() {
    return areas.stream().filter(area -> !area.isData()).toList();
  }

  /** Size in bytes of the region that areas share. */
  public int wordBytes() {
    return words().stream().mapToInt(area -> aligned(area.bytes())).sum();
  }

  /** Offset of an area in its region. */
  public int offset(Area area) {
    if (area.isData()) {
      return 0;
    }
    int offset = 0;
    for (Area each : words()) {
      if (each == area) {
        return offset;
      }
      offset += aligned(each.bytes());
    }
    throw new IllegalArgumentException("%s is not an area of %s".formatted(area.name(), name));
  }

  /** Rights that entries and messages need to the region of some data. */
  public Set<Right> rights(Area data) {
    return Rights.of(this, block -> block == data);
  }

  /**
   * True when entries or messages write some data by other means than atomics. Two programs that do
   * so on the same data may overwrite what the other one wrote.
   */
  public boolean writesPlainly(Area data) {
    return message.stream().anyMatch(part -> part.to().block() == data)
        || instructions()
            .anyMatch(
                each ->
                    isIn(each.scatters(), data)
                        || !each.isAtomic() && isIn(each.remoteWrites(), data));
  }

  /** True when entries read some data, also by atomics. */
  public boolean reads(Area data) {
    return instructions()
        .anyMatch(each -> isIn(each.gathers(), data) || isIn(each.remoteReads(), data));
  }

  private Stream<Instruction> instructions() {
    return queues.values().stream()
        .flatMap(List::stream)
        .filter(entry -> entry.action() instanceof Entry.Work)
        .map(entry -> ((Entry.Work) entry.action()).instruction());
  }

  private static boolean isIn(List<Span> spans, Area data) {
    return spans.stream().anyMatch(span -> span.block() == data);
  }

  /** Rights that entries and messages need to the region that areas share. */
  public Set<Right> wordRights() {
    return Rights.of(this, block -> block instanceof Area area && !area.isData());
  }

  /** Rights that entries and messages need to the ring of a queue. */
  public Set<Right> rights(Lane lane) {
    return Rights.of(
        this,
        block ->
            switch (block) {
              case Instruction entry -> entry.lane() == lane;
              case Slot slot -> slot.lane() == lane;
              case Gate gate -> gate.lane() == lane;
              case Area _, ReceiveRecord _, ClientMemory _ -> false;
            });
  }

  /** Rights that entries need to the doorbell record of the queue that receives messages. */
  public Set<Right> recordRights() {
    return Rights.of(this, block -> block instanceof ReceiveRecord);
  }

  private static int aligned(int bytes) {
    return bytes + 7 & ~7;
  }
}
