package dev.bluebell.program.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A subprogram in a ring of its own: each call is one lap of the ring. The caller enables the lap
 * and waits for its end. Nothing in the ring is enabled between two calls, so the caller can
 * prepare it for the next one then. The number of each call is known at compile time: in a program
 * for one call, the numbers in its entries are constants; in a program for many, all of them
 * advance alike.
 */
public final class Callee {
  private final QueueDraft queue;
  private final List<Count> counts;
  private final List<Restored> consumed;
  private final List<Instruction> body;

  private Callee(
      QueueDraft queue, List<Count> counts, List<Restored> consumed, List<Instruction> body) {
    this.queue = queue;
    this.counts = counts;
    this.consumed = consumed;
    this.body = body;
  }

  /**
   * Puts a subprogram into its ring.
   *
   * @param body its instructions, in the order of the program
   * @param consumed bytes that a lap changes
   * @param indexed true when the device checks the index of each entry
   * @throws IllegalArgumentException when a lap is too long
   */
  public static Callee schedule(
      List<Instruction> body, List<Restored> consumed, Model model, boolean indexed) {
    int taken = draft(body, model).end();
    int slots =
        QueueDraft.slots(taken, "a subprogram would have %d WQEBBs, and one has at most %d");
    QueueDraft queue = draft(body, model);
    queue.pad(slots - taken);
    // Completions are in order, so the last one proves that all requests are complete.
    int unused = queue.signalLast();
    queue.endSegment();
    List<Count> counts = new ArrayList<>();
    for (Entry entry : queue.entries(_ -> queue)) {
      counts.addAll(Count.of(entry, indexed, _ -> slots, _ -> queue.signals()));
    }
    return new Callee(queue, counts, List.copyOf(consumed), List.copyOf(body));
  }

  private static QueueDraft draft(List<Instruction> body, Model model) {
    QueueDraft queue = new QueueDraft(Lane.SUBPROGRAM);
    WorkDraft work = new WorkDraft(Lane.SUBPROGRAM, queue, model);
    work.addInStages(body);
    return queue;
  }

  /** Bytes to write before a call, from 0, if all earlier calls were made. */
  public List<Restored> before(int call) {
    List<Restored> restored = new ArrayList<>();
    if (call > 0) {
      counts.forEach(count -> restored.add(count.after(call)));
      restored.addAll(consumed);
    }
    return restored;
  }

  /**
   * Instructions that prepare the ring for a call, each time that the program makes it.
   *
   * @param table memory that they read
   * @param reads READs before the call
   * @param sums fetch-and-adds, anywhere after the READs
   */
  public record Ready(Area table, List<Instruction> reads, List<Instruction> sums) {
    /** Copies the lists. */
    public Ready {
      reads = List.copyOf(reads);
      sums = List.copyOf(sums);
    }
  }

  /**
   * Prepares the ring for a call, in a program that answers many client calls.
   *
   * @param call index among the subprogram calls of one client call, from 0
   * @param calls number of subprogram calls of one client call
   * @param sink memory for discarded bytes, 8 bytes or more
   */
  public Ready ready(int call, int calls, Area sink) {
    Table table = new Table(sink);
    counts.forEach(count -> table.add(count.ofLap(call, calls)));
    consumed.forEach(table::add);
    Area area = table.area();
    List<Instruction> reads = table.reads(area, 0, table.pieces(), "make the subprogram ready");
    return new Ready(area, reads, table.sums(area));
  }

  /** The opcodes and modifiers of instructions, as they are when armed. */
  public static List<Restored> opcodes(List<Instruction> instructions) {
    List<Restored> opcodes = new ArrayList<>();
    for (Instruction each : instructions) {
      opcodes.add(Restored.of(each.opcodeField(), each.opcode()));
      if (each.opmod() != 0) {
        opcodes.add(Restored.of(each.opmodField(), each.opmod()));
      }
    }
    return opcodes;
  }

  /**
   * True when an instruction changes the ring, or conflicts with an instruction of the subprogram.
   */
  boolean concerns(Instruction other) {
    return Stream.concat(other.scatters().stream(), other.remoteWrites().stream())
            .anyMatch(Callee::isOfRing)
        || body.stream().anyMatch(each -> Hazards.conflict(other, each));
  }

  private static boolean isOfRing(Span span) {
    return switch (span.block()) {
      case Instruction entry -> entry.lane() == Lane.SUBPROGRAM;
      case Slot slot -> slot.lane() == Lane.SUBPROGRAM;
      case Area _, Gate _, ReceiveRecord _, ClientMemory _ -> false;
    };
  }

  List<Instruction> body() {
    return body;
  }

  QueueDraft queue() {
    return queue;
  }
}
