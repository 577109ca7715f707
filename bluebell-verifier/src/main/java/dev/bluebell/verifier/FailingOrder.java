package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.verifier.Step.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
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
   * Number of possible steps, of all simple or all random orders, after which no more are tried.
   */
  private static final long MAX_CONSIDERED = 2_500_000;

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

  /** The execution of an image in one order. */
  private static final class Run {
    final Machine machine;
    final List<Event> events = new ArrayList<>();
    final Set<Event> postponable = new LinkedHashSet<>();
    private final Map<Reliance.Flag, byte[]> before = new LinkedHashMap<>();

    /** Number of possible steps from which the taken ones were chosen. */
    long considered;

    /** The data of each flag, when the flag changed. */
    final Map<Reliance.Flag, byte[]> seen = new LinkedHashMap<>();

    Run(ProgramImage image, Rules rules, Reliance reliance) {
      machine = new Machine(image, rules);
      reliance.flags().forEach(each -> before.put(each, machine.contents(each.flag())));
    }

    /**
     * Takes steps until none is possible. Messages move whole: torn words would explain no more.
     */
    void rest(Schedule schedule) {
      for (List<Step> steps = machine.steps(); !steps.isEmpty(); steps = machine.steps()) {
        considered += steps.size();
        Step step = schedule.next(machine, steps);
        Event event = machine.event(step);
        events.add(event);
        if (step.kind().movesPayload()) {
          postponable.add(event);
        }
        machine.take(step, Machine.ALL_WORDS);
        before.forEach(this::look);
      }
    }

    private void look(Reliance.Flag rule, byte[] first) {
      if (!seen.containsKey(rule) && !Arrays.equals(first, machine.contents(rule.flag()))) {
        seen.put(rule, machine.contents(rule.data()));
      }
    }
  }

  /**
   * Searches for an order in which an image fails. It first delays each single access until no
   * other step is possible, with entries fetched as late and as early as possible, because such
   * orders are easy to follow. Then it tries random orders. The tries of either kind end when they
   * have taken too long.
   *
   * @param messages messages of the clients, one after the other
   * @param reliance results that the application relies on, for a chain without clients
   * @return empty when no tried order fails
   */
  public static Optional<FailingOrder> find(
      ProgramImage image, Rules rules, Reliance reliance, List<Message> messages) {
    Run plain = run(image, rules, reliance, messages, new Delayed(null, false));
    for (Stream<Schedule> kind : List.of(delayed(plain), drawn())) {
      long considered = 0;
      Iterator<Schedule> schedules = kind.iterator();
      while (schedules.hasNext() && considered < MAX_CONSIDERED) {
        Run run = run(image, rules, reliance, messages, schedules.next());
        if (!isAlike(image, reliance, plain, run)) {
          return Optional.of(new FailingOrder(run.events, difference(reliance, plain, run)));
        }
        considered += run.considered;
      }
    }
    return Optional.empty();
  }

  private static String difference(Reliance reliance, Run plain, Run run) {
    return early(plain, run)
        .map(
            rule ->
                "When %s changes, %s does not yet have its final contents."
                    .formatted(rule.flag(), rule.data()))
        .orElseGet(() -> run.machine.difference(plain.machine, reliance));
  }

  /** A flag that changed before its data was complete. */
  private static Optional<Reliance.Flag> early(Run plain, Run run) {
    return run.before.keySet().stream()
        .filter(run.seen::containsKey)
        .filter(rule -> !Arrays.equals(run.seen.get(rule), plain.machine.contents(rule.data())))
        .findFirst();
  }

  private static boolean isAlike(ProgramImage image, Reliance reliance, Run plain, Run run) {
    if (image.entryPoints().isEmpty() && !reliance.equals(Reliance.ALL)) {
      return plain.machine.isAlike(run.machine, reliance) && early(plain, run).isEmpty();
    }
    Outcome expected = plain.machine.outcome();
    Outcome found = run.machine.outcome();
    // A client sees the messages that it receives; a chain without clients leaves its result in
    // memory.
    return image.entryPoints().isEmpty() ? found.equals(expected) : found.looksLike(expected);
  }

  private static Stream<Schedule> delayed(Run plain) {
    return Stream.of(false, true)
        .flatMap(
            early ->
                Stream.concat(
                    Stream.of(new Delayed(null, early)),
                    plain.postponable.stream().map(event -> new Delayed(event, early))));
  }

  private static Stream<Schedule> drawn() {
    return IntStream.rangeClosed(1, RANDOM_ORDERS)
        .mapToObj(
            seed -> {
              Random random = new Random(seed);
              return (machine, possible) -> possible.get(random.nextInt(possible.size()));
            });
  }

  private static Run run(
      ProgramImage image,
      Rules rules,
      Reliance reliance,
      List<Message> messages,
      Schedule schedule) {
    Run run = new Run(image, rules, reliance);
    run.rest(schedule);
    for (Message message : messages) {
      run.machine.send(message);
      run.rest(schedule);
    }
    return run;
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
