package dev.bluebell.verbs.completion;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.verbs.object.DeviceSays;
import dev.bluebell.verbs.object.Diagnosed;
import dev.bluebell.verbs.ring.CompletionRingState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Explains why a completion queue returns no completions: first the causes, in the queue or its
 * queue pairs, then the details.
 */
public final class CompletionDiagnosis {
  private CompletionDiagnosis() {}

  /** Returns the explanation in one paragraph. */
  public static String of(CompletionQueueImpl queue) {
    if (queue.lifetime().isClosed()) {
      return "%s is closed, so nothing completes in it.".formatted(queue);
    }
    CompletionRingState state = queue.ring().state();
    Set<String> told = new HashSet<>();
    List<String> sentences = new ArrayList<>();
    if (queue.hasFailed()) {
      sentences.add(
          "The device reported an error of %s and writes nothing more to it.".formatted(queue));
    }
    DeviceSays.latestOf(queue.device(), queue.toString(), told).ifPresent(sentences::add);
    if (state.isReady()) {
      sentences.add(slot(queue, state));
    }
    // The slot was described already, or is going to be.
    told.add(unpolled(queue.toString()));
    List<Diagnosed> queuePairs =
        queue.lifetime().users().stream()
            .filter(Diagnosed.class::isInstance)
            .map(Diagnosed.class::cast)
            .distinct()
            .toList();
    if (queuePairs.isEmpty()) {
      sentences.add("No queue pair completes in %s.".formatted(queue));
    }
    queuePairs.forEach(queuePair -> sentences.add(queuePair.diagnose(told)));
    if (!state.isReady()) {
      sentences.add(slot(queue, state));
    }
    sentences.addAll(DeviceSays.of(queue.device(), queue.toString()));
    return String.join(" ", sentences);
  }

  /** A sentence about a queue with a completion that no poll has returned; empty for others. */
  public static Optional<String> unpolled(CompletionQueueImpl queue) {
    return queue.ring().state().isReady()
        ? Optional.of(unpolled(queue.toString()))
        : Optional.empty();
  }

  private static String unpolled(String queue) {
    return "A completion waits in %s: poll it.".formatted(queue);
  }

  private static String slot(CompletionQueueImpl queue, CompletionRingState state) {
    int opOwn = (int) (state.lastWord() & 0xff);
    String found =
        "Polls of %s have returned %s; the next is slot %d, whose byte 63 is 0x%02x: opcode %s, owner %d."
            .formatted(
                queue,
                Counted.of(Integer.toUnsignedLong(state.consumer()), "completion"),
                state.slot(),
                opOwn,
                CqeOpcode.name(Cqe.opcode(state.lastWord())),
                Cqe.owner(state.lastWord()));
    return found + " " + reading(state);
  }

  private static String reading(CompletionRingState state) {
    if (state.isReady() && state.lastWord() == 0) {
      return "Its last 8 bytes are zero, which reads as a completion of QP 0, so a poll takes it."
          + " Was the memory not initialised? Write 0xf0 to byte 63 of every entry before"
          + " the queue is created.";
    }
    if (state.isReady()) {
      int opcode = Cqe.opcode(state.lastWord());
      return "The owner is that of this pass and the opcode is known, so a poll takes it."
          + (opcode == CqeOpcode.REQ_ERR || opcode == CqeOpcode.RESP_ERR
              ? " It reports an error, with its syndrome in byte 55, and has not been polled: a"
                  + " poller that waits for a success never takes it."
              : "");
    }
    if (state.isInitial()) {
      return "Opcode INVALID means that the device has never written the slot, so a poll finds"
          + " nothing.";
    }
    return ("In this pass a new entry has owner %d, so a poll treats this one as left over from the"
            + " previous pass and finds nothing.")
        .formatted(state.owner());
  }
}
