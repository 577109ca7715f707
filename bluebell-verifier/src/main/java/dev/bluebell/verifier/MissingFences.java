package dev.bluebell.verifier;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Finds the fewest and weakest fences with which a chain is proved. */
final class MissingFences {
  private static final int MOST_FENCES = 3;
  private static final int MOST_PROOFS = 3000;
  private static final List<String> MODES = List.of("none", "small", "fence", "strong");

  /**
   * A fence to add.
   *
   * @param what the fence and its WQE, in words
   * @param queue name of the queue
   * @param index index of the WQE
   * @param mode fence mode, 1 to 3
   */
  record Fence(String what, String queue, int index, int mode) {
    ProgramImage addTo(ProgramImage image) {
      return Mutations.edit(
          image, queue, index, slot -> ControlSegment.FENCE_MODE.set(slot, 0, mode));
    }
  }

  private MissingFences() {}

  /**
   * Searches sets of fences, from few to many, and from weak to strong among sets of the same size.
   *
   * @param isProved tests a chain
   * @return the fences to add; empty when three fences are not enough
   */
  static List<String> find(ProgramImage image, Predicate<ProgramImage> isProved) {
    List<Fence> candidates = candidates(image);
    int proofs = 0;
    for (int count = 1; count <= MOST_FENCES; count++) {
      List<List<Fence>> sets = new ArrayList<>();
      choose(candidates, 0, count, List.of(), sets);
      sets.sort(Comparator.comparingInt(set -> set.stream().mapToInt(Fence::mode).sum()));
      for (List<Fence> set : sets) {
        if (++proofs > MOST_PROOFS) {
          return List.of();
        }
        ProgramImage fenced = image;
        for (Fence fence : set) {
          fenced = fence.addTo(fenced);
        }
        if (isProved.test(fenced)) {
          return set.stream().map(Fence::what).toList();
        }
      }
    }
    return List.of();
  }

  private static List<Fence> candidates(ProgramImage image) {
    List<Fence> candidates = new ArrayList<>();
    for (Queue queue : image.queues()) {
      for (int index : Request.starts(queue.send())) {
        byte[] slot = queue.send().slot(index);
        int opcode = (int) ControlSegment.OPCODE.get(slot, 0);
        int present = (int) ControlSegment.FENCE_MODE.get(slot, 0);
        for (int mode = 1; mode < MODES.size() && opcode != WqeOpcode.NOP; mode++) {
          if (mode != present) {
            String what =
                "fence=%s of %s, %s"
                    .formatted(
                        MODES.get(mode),
                        Actor.wqe(queue, index),
                        Counted.a(WqeOpcode.name(opcode)));
            candidates.add(new Fence(what, queue.name(), index, mode));
          }
        }
      }
    }
    return candidates;
  }

  /** All sets of {@code count} fences for different WQEs. */
  private static void choose(
      List<Fence> from, int at, int count, List<Fence> chosen, List<List<Fence>> sets) {
    if (chosen.size() == count) {
      sets.add(chosen);
      return;
    }
    for (int i = at; i < from.size() && sets.size() <= MOST_PROOFS; i++) {
      Fence next = from.get(i);
      if (chosen.stream()
          .noneMatch(each -> each.queue().equals(next.queue()) && each.index() == next.index())) {
        List<Fence> more = new ArrayList<>(chosen);
        more.add(next);
        choose(from, i + 1, count, more, sets);
      }
    }
  }
}
