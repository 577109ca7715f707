package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.verifier.Step.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An order of events that the rules allow, with another result than executing each request to its
 * end before the next one begins.
 *
 * @param events actions of the device, in this order
 * @param difference a sentence that compares the results
 */
public record FailingOrder(List<Event> events, String difference) {
  /**
   * Maximum number of words per step, which moves each message at once: torn words would not
   * explain more.
   */
  private static final int WHOLE = Integer.MAX_VALUE >> 4;

  private static final int MAX_STEPS = 200_000;

  /** Number of random orders that are tried when no simple one fails. */
  private static final int RANDOM_ORDERS = 300;

  /** Copies the list. */
  public FailingOrder {
    events = List.copyOf(events);
  }

  /** Chooses the next of the possible steps. */
  private interface Schedule {
    Step next(Machine machine, List<Step> possible);
  }

  /** The result of one order. */
  private record Run(List<Event> events, Set<Event> postponable, Machine end, List<byte[]> seen) {}

  /**
   * Searches for an order in which an image fails. It first delays each single access until no
   * other step is possible, with entries fetched as late and as early as possible, because such
   * orders are easy to follow. Then it tries random orders.
   *
   * @param messages messages of the clients, one after the other
   * @param reliance results that the application relies on, for a chain without clients
   * @return empty when no tried order fails
   */
  public static Optional<FailingOrder> find(
      ProgramImage image, Rules rules, Reliance reliance, List<Message> messages) {
    Run plain = run(image, rules, reliance, messages, new Delayed(null, false));
    return schedules(plain)
        .map(schedule -> run(image, rules, reliance, messages, schedule))
        .filter(run -> !isAlike(image, reliance, plain, run))
        .findFirst()
        .map(run -> new FailingOrder(run.events(), difference(reliance, plain, run)));
  }

  private static String difference(Reliance reliance, Run plain, Run run) {
    return early(reliance, plain, run)
        .map(
            rule ->
                "When %s changes, %s does not yet have its final contents."
                    .formatted(rule.flag(), rule.data()))
        .orElseGet(() -> run.end().difference(plain.end(), reliance));
  }

  /** A flag that changed before its data was complete. */
  private static Optional<Reliance.Flag> early(Reliance reliance, Run plain, Run run) {
    for (int i = 0; i < reliance.flags().size(); i++) {
      Reliance.Flag rule = reliance.flags().get(i);
      byte[] seen = run.seen().get(i);
      if (seen.length > 0 && !Arrays.equals(seen, plain.end().contents(rule.data()))) {
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }

  private static boolean isAlike(ProgramImage image, Reliance reliance, Run plain, Run run) {
    if (image.entryPoints().isEmpty() && !reliance.equals(Reliance.ALL)) {
      return plain.end().isAlike(run.end(), reliance) && early(reliance, plain, run).isEmpty();
    }
    Outcome expected = plain.end().outcome();
    Outcome found = run.end().outcome();
    // A client sees the messages that it receives; a chain without clients leaves its result in
    // memory.
    return image.entryPoints().isEmpty() ? found.equals(expected) : found.looksLike(expected);
  }

  private static Stream<Schedule> schedules(Run plain) {
    Stream<Schedule> simple =
        Stream.of(false, true)
            .flatMap(
                early ->
                    Stream.concat(
                        Stream.of(new Delayed(null, early)),
                        plain.postponable().stream().map(event -> new Delayed(event, early))));
    Stream<Schedule> drawn =
        Stream.iterate(1, seed -> seed + 1)
            .limit(RANDOM_ORDERS)
            .map(
                seed -> {
                  Random random = new Random(seed);
                  return (machine, possible) -> possible.get(random.nextInt(possible.size()));
                });
    return Stream.concat(simple, drawn);
  }

  private static Run run(
      ProgramImage image,
      Rules rules,
      Reliance reliance,
      List<Message> messages,
      Schedule schedule) {
    Machine machine = new Machine(image, rules);
    List<Event> events = new ArrayList<>();
    Set<Event> postponable = new LinkedHashSet<>();
    List<byte[]> seen = new ArrayList<>(Collections.nCopies(reliance.flags().size(), new byte[0]));
    List<byte[]> first =
        reliance.flags().stream().map(each -> machine.contents(each.flag())).toList();
    Runnable look =
        () -> {
          for (int i = 0; i < seen.size(); i++) {
            Reliance.Flag rule = reliance.flags().get(i);
            if (seen.get(i).length == 0
                && !Arrays.equals(first.get(i), machine.contents(rule.flag()))) {
              seen.set(i, machine.contents(rule.data()));
            }
          }
        };
    rest(machine, schedule, events, postponable, look);
    for (Message message : messages) {
      machine.send(message);
      rest(machine, schedule, events, postponable, look);
    }
    return new Run(events, postponable, machine, seen);
  }

  private static void rest(
      Machine machine,
      Schedule schedule,
      List<Event> events,
      Set<Event> postponable,
      Runnable look) {
    List<Step> possible = machine.steps();
    while (!possible.isEmpty()) {
      if (events.size() == MAX_STEPS) {
        machine.giveUp(MAX_STEPS);
        return;
      }
      Step step = schedule.next(machine, possible);
      Event event = machine.event(step);
      events.add(event);
      if (step.kind().movesPayload()) {
        postponable.add(event);
      }
      machine.take(step, WHOLE);
      look.run();
      possible = machine.steps();
    }
  }

  /**
   * Completes requests before it begins others.
   *
   * @param delayed an event that waits until nothing else can happen; null when there is none
   * @param early true when entries are fetched as soon as they are enabled, false when as late as
   *     possible
   */
  private record Delayed(@Nullable Event delayed, boolean early) implements Schedule {
    @Override
    public Step next(Machine machine, List<Step> possible) {
      Step best = possible.getFirst();
      int least = Integer.MAX_VALUE;
      for (Step step : possible) {
        int rank = rank(machine, step);
        if (rank < least) {
          least = rank;
          best = step;
        }
      }
      return best;
    }

    private int rank(Machine machine, Step step) {
      if (delayed != null && step.kind().movesPayload() && machine.event(step).equals(delayed)) {
        return Integer.MAX_VALUE - 1;
      }
      if (step.kind() == Kind.FETCH) {
        int behind = machine.isFetchedAhead(step) ? Kind.values().length : 0;
        return early ? -1 : step.kind().ordinal() + behind;
      }
      return switch (step.kind()) {
        case COMPLETE, COMPLETE_RECEIVE -> -4;
        case RECEIVE, SCATTER -> -3;
        case PERFORM -> -2;
        case GATHER, FETCH_RECEIVE -> -1;
        case FETCH, BEGIN, ARRIVE -> step.kind().ordinal();
      };
    }
  }
}
