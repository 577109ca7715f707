package dev.bluebell.cli.program;

import dev.bluebell.program.plan.Entry;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.MessagePart;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The dependences of a plan: the pairs of entries that must keep an order, and a sentence for each.
 */
final class Dependences {
  private final Plan plan;
  private final List<String> sentences = new ArrayList<>();
  private final Set<Dependence> pairs = new LinkedHashSet<>();

  private Dependences(Plan plan) {
    this.plan = plan;
    for (Lane lane : Lane.values()) {
      plan.queue(lane).forEach(this::add);
    }
  }

  /** The sentences, in the order of the queues. */
  static List<String> of(Plan plan) {
    return new Dependences(plan).sentences;
  }

  /** The pairs for a picture, with those of SEND_ENs and the entries that they enable. */
  static List<Dependence> pairs(Plan plan) {
    Dependences dependences = new Dependences(plan);
    for (Lane lane : Lane.values()) {
      plan.queue(lane).forEach(dependences::addEnabled);
    }
    return List.copyOf(dependences.pairs);
  }

  /** Adds the first entry that a SEND_EN enables and no earlier one does. */
  private void addEnabled(Entry enabler) {
    if (enabler.action() instanceof Entry.Enable enable) {
      plan.queue(enable.target()).stream()
          .filter(entry -> enabler(plan, entry).filter(enabler::equals).isPresent())
          .findFirst()
          .ifPresent(first -> pairs.add(new Dependence(enabler, first, Dependence.Kind.ENABLES)));
    }
  }

  /** The SEND_EN that lets an entry be fetched; empty for an entry of the launcher. */
  static Optional<Entry> enabler(Plan plan, Entry entry) {
    for (Lane lane : Lane.values()) {
      for (Entry each : plan.queue(lane)) {
        if (enables(each, entry)) {
          return Optional.of(each);
        }
      }
    }
    return Optional.empty();
  }

  /** True if an entry is a SEND_EN that lets another be fetched. */
  private static boolean enables(Entry enabler, Entry entry) {
    return enabler.action() instanceof Entry.Enable enable
        && enable.target() == entry.lane()
        && enable.limit() > entry.index();
  }

  private void add(Entry entry) {
    if (!(entry.action() instanceof Entry.Work work)) {
      return;
    }
    Instruction instruction = work.instruction();
    Set<String> reasons = new LinkedHashSet<>();
    for (MessagePart part : plan.message()) {
      if (part.to().block() == instruction) {
        reasons.add("is written by the call (%s)".formatted(part.input()));
        pairs.add(new Dependence(null, entry, Dependence.Kind.CHANGES));
      }
    }
    for (Lane lane : Lane.values()) {
      for (Entry other : plan.queue(lane)) {
        if (other.action() instanceof Entry.Work before && isBefore(other, entry)) {
          explain(other, before.instruction(), instruction, reasons);
          pair(other, before.instruction(), entry, instruction);
        }
      }
    }
    reasons.forEach(reason -> sentences.add("%s %s".formatted(place(entry), reason)));
  }

  private void explain(
      Entry other, Instruction before, Instruction instruction, Set<String> reasons) {
    String place = place(other);
    if (writes(before).stream().anyMatch(span -> span.block() == instruction)) {
      reasons.add("is written by " + place);
    }
    meeting(writes(before), reads(instruction))
        .forEach(span -> reasons.add("reads %s, which %s writes".formatted(span, place)));
    meeting(reads(before), writes(instruction))
        .forEach(span -> reasons.add("writes %s, which %s reads before".formatted(span, place)));
    meeting(writes(before), writes(instruction))
        .forEach(span -> reasons.add("writes %s after %s".formatted(span, place)));
  }

  private void pair(Entry other, Instruction before, Entry entry, Instruction instruction) {
    if (writes(before).stream().anyMatch(span -> span.block() == instruction)) {
      pairs.add(new Dependence(other, entry, Dependence.Kind.CHANGES));
    } else if (!meeting(writes(before), reads(instruction)).isEmpty()) {
      pairs.add(new Dependence(other, entry, Dependence.Kind.DATA));
    } else if (!meeting(reads(before), writes(instruction)).isEmpty()
        || !meeting(writes(before), writes(instruction)).isEmpty()) {
      pairs.add(new Dependence(other, entry, Dependence.Kind.ORDER));
    }
  }

  private List<String> meeting(List<Span> some, List<Span> others) {
    return others.stream()
        .filter(other -> some.stream().anyMatch(one -> one.meets(other)))
        .map(this::text)
        .distinct()
        .toList();
  }

  private String text(Span span) {
    return span.block() instanceof Instruction instruction
        ? "a field of " + place(instruction)
        : span.block().name();
  }

  private String place(Instruction instruction) {
    return plan.queue(instruction.lane()).stream()
        .filter(e -> e.action() instanceof Entry.Work work && work.instruction() == instruction)
        .map(Dependences::place)
        .findFirst()
        .orElseThrow();
  }

  private static List<Span> writes(Instruction of) {
    return Stream.concat(of.remoteWrites().stream(), of.scatters().stream()).toList();
  }

  private static List<Span> reads(Instruction of) {
    return Stream.concat(of.remoteReads().stream(), of.gathers().stream()).toList();
  }

  /** In one queue the order is by index; across queues, by where the worker enables the others. */
  private boolean isBefore(Entry first, Entry second) {
    return first.lane() == second.lane()
        ? first.index() < second.index()
        : place(first.lane(), first) < place(second.lane(), second);
  }

  /** The index in the worker's queue at or after which an entry runs. */
  private int place(Lane lane, Entry entry) {
    return switch (lane) {
      case LAUNCHER -> -1;
      case WORKER -> entry.index();
      case CLIENT -> enabled(entry);
      // The queue begins when its first entry is enabled, and the worker waits for its end.
      case LOOP, SECOND_LOOP, SUBPROGRAM -> enabled(plan.queue(lane).getFirst());
    };
  }

  /** The index in the worker's queue from which an entry of another queue may run. */
  private int enabled(Entry entry) {
    return plan.queue(Lane.WORKER).stream()
        .filter(each -> enables(each, entry))
        .mapToInt(Entry::index)
        .findFirst()
        .orElse(-1);
  }

  /** Queue and index of an entry. */
  static String place(Entry entry) {
    return "%s %d".formatted(entry.lane().text(), entry.index());
  }
}
