package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.WqeOpcode;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A plan as text: one line for each entry, with its queue, index, operands and purpose. Then one
 * line for each part of the client's message, with the positions of its first and last byte, its
 * destination, and the input that it contains.
 */
public final class Assembly {
  private final Plan plan;

  private Assembly(Plan plan) {
    this.plan = plan;
  }

  /** The listing. */
  public static String of(Plan plan) {
    Assembly assembly = new Assembly(plan);
    StringBuilder text = new StringBuilder();
    for (Lane lane : Lane.values()) {
      plan.queue(lane).forEach(entry -> text.append(assembly.line(entry)));
    }
    int at = 0;
    for (MessagePart part : plan.message()) {
      text.append(assembly.line(at, part));
      at += part.to().length();
    }
    return text.toString();
  }

  private String line(Entry entry) {
    StringJoiner flags = new StringJoiner(" ");
    if (entry.fence() != Fence.NONE) {
      flags.add(entry.fence() == Fence.ALL ? "fence=all" : "fence=answers");
    }
    if (entry.signalled()) {
      flags.add("signalled");
    }
    String operands = "%s %s".formatted(operands(entry), flags).strip();
    return line(
        entry.lane().text() + " " + entry.index(), mnemonic(entry), operands, purpose(entry));
  }

  private String line(int at, MessagePart part) {
    int last = at + part.to().length() - 1;
    return line("call %d..%d".formatted(at, last), "scatter", text(part.to()), part.text());
  }

  private static String line(String place, String mnemonic, String operands, String why) {
    return "%-11s %-22s%-56s; %s%n".formatted(place, mnemonic, operands, why);
  }

  /** Mnemonic of an entry; one that is armed later begins as a NOP. */
  public static String mnemonic(Entry entry) {
    if (entry.action() instanceof Entry.Enable && entry.opcode() == WqeOpcode.NOP) {
      return "nop→send_en";
    }
    if (!(entry.action() instanceof Entry.Work work)) {
      return WqeOpcode.name(entry.opcode()).toLowerCase(Locale.ROOT);
    }
    Instruction instruction = work.instruction();
    boolean armed = instruction.initialOpcode() != instruction.opcode();
    return armed ? "nop→" + instruction.name() : instruction.name();
  }

  private String operands(Entry entry) {
    return switch (entry.action()) {
      case Entry.Wait wait -> "%s > %d".formatted(wait.counter().text(), wait.completion());
      case Entry.Enable enable -> "%s < %d".formatted(enable.target().text(), enable.limit());
      case Entry.Pad pad -> "%d WQEBBs".formatted(pad.slots());
      case Entry.Work work -> operands(work.instruction());
    };
  }

  private String operands(Instruction instruction) {
    String local =
        instruction.local().stream()
            .map(each -> text(each.address(), each.bytes()))
            .collect(Collectors.joining(" "));
    Address remote = instruction.remote();
    if (remote == null) {
      return local;
    }
    String there = text(remote, remote.span().length());
    if (instruction.isAtomic()) {
      return there + " " + words(instruction.operands());
    }
    return instruction.isAnswered() ? there + " → " + local : local + " → " + there;
  }

  private static String words(byte[] operands) {
    StringJoiner words = new StringJoiner(" ");
    LongBuffer numbers = ByteBuffer.wrap(operands).asLongBuffer();
    while (numbers.hasRemaining()) {
      words.add("0x" + Long.toHexString(numbers.get()));
    }
    return words.toString();
  }

  private String text(Address address, int bytes) {
    return address.known()
        ? text(address.span().part(0, bytes))
        : "…%s:%d".formatted(address.span().block().name(), bytes);
  }

  private String text(Span span) {
    String block =
        switch (span.block()) {
          case Area area -> area.name();
          case Instruction instruction -> place(instruction);
          case Gate gate -> place(gate);
          case Slot _, ReceiveRecord _, ClientMemory _ -> span.block().name();
        };
    return span.block() instanceof Area
            && span.offset() == 0
            && span.length() == span.block().bytes()
        ? block
        : "%s+%d:%d".formatted(block, span.offset(), span.length());
  }

  private String place(Instruction instruction) {
    return place(
        instruction.lane(),
        e -> e.action() instanceof Entry.Work work && work.instruction() == instruction);
  }

  private String place(Gate gate) {
    return place(
        gate.lane(), e -> e.action() instanceof Entry.Enable enable && enable.gate() == gate);
  }

  private String place(Lane lane, Predicate<Entry> which) {
    return plan.queue(lane).stream()
        .filter(which)
        .map(entry -> lane.text() + "[" + entry.index() + "]")
        .findFirst()
        .orElseThrow();
  }

  public static String purpose(Entry entry) {
    return switch (entry.action()) {
      case Entry.Wait wait when wait.counter() == Counter.CALLS -> "until a client calls";
      case Entry.Wait _ -> "until entries after the barrier may be fetched";
      case Entry.Pad _ -> "fill the ring";
      case Entry.Enable enable when enable.gate() != null -> enable.gate().purpose();
      case Entry.Enable enable -> "let the " + enable.target().text() + " go on";
      case Entry.Work work -> work.instruction().comment();
    };
  }
}
