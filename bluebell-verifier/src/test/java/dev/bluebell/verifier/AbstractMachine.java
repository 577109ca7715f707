package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Executes an image by the rules of NIC programs, and uses all the freedom that they allow: when a
 * WQE is fetched, begins and completes, and which requests overtake others. It implements those
 * rules literally, and shares no code with the device.
 */
public final class AbstractMachine {
  private AbstractMachine() {}

  /**
   * Executes an image once. The messages are sent one by one, each when the program is at rest.
   *
   * @param seed seed of all choices
   */
  public static Outcome run(ProgramImage image, Rules rules, List<Message> messages, long seed) {
    Machine machine = new Machine(image, rules);
    Random random = new Random(seed);
    for (Message message : messages) {
      rest(machine, random);
      machine.send(message);
    }
    rest(machine, random);
    return machine.outcome();
  }

  private static void rest(Machine machine, Random random) {
    // A queue that is slow at one kind of step for a whole run finds more than a queue that is slow
    // at random times.
    int salt = random.nextInt();
    for (List<Step> steps = machine.steps(); !steps.isEmpty(); steps = machine.steps()) {
      Step step = pick(steps, salt, random);
      machine.take(step, random.nextInt(3) == 0 ? 1 : Machine.ALL_WORDS);
    }
  }

  private static Step pick(List<Step> steps, int salt, Random random) {
    int total = 0;
    for (Step step : steps) {
      total += weight(step, salt);
    }
    int left = random.nextInt(total);
    for (Step step : steps) {
      left -= weight(step, salt);
      if (left < 0) {
        return step;
      }
    }
    return steps.getLast();
  }

  private static int weight(Step step, int salt) {
    int mixed = (step.kind().ordinal() * 31 + step.queue() * 7 + step.which() + 1) * 0x9e3779b9;
    return switch ((mixed ^ salt) * 0x85ebca6b >>> 30) {
      case 0 -> 1;
      case 1 -> 8;
      default -> 64;
    };
  }

  /**
   * All possible executions, without torn words within an access; all messages are sent at the
   * start.
   *
   * @param states maximum number of examined states of the machine
   * @return all outcomes
   * @throws IllegalStateException when there are more states
   */
  public static Set<Outcome> all(
      ProgramImage image, Rules rules, List<Message> messages, int states) {
    Machine start = new Machine(image, rules);
    messages.forEach(start::send);
    Set<Outcome> outcomes = new HashSet<>();
    Set<String> seen = new HashSet<>();
    Deque<Machine> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      Machine machine = open.pop();
      List<Step> steps = machine.steps();
      if (steps.isEmpty()) {
        outcomes.add(machine.outcome());
      }
      for (Step step : steps) {
        Machine next = machine.copy();
        next.take(step, Machine.ALL_WORDS);
        if (seen.add(next.key())) {
          if (seen.size() > states) {
            throw new IllegalStateException("there are more than %d states".formatted(states));
          }
          open.push(next);
        }
      }
    }
    return outcomes;
  }
}
