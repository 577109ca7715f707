package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.program.compile.Emitter.EmittedLap;
import dev.bluebell.program.compile.Emitter.EmittedSubprogram;
import dev.bluebell.program.compile.Emitter.Mark;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Callee;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Entry;
import dev.bluebell.program.plan.Gate;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Lane;
import dev.bluebell.program.plan.Loop;
import dev.bluebell.program.plan.LoopScheduler;
import dev.bluebell.program.plan.MessagePart;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.program.plan.Recycler;
import dev.bluebell.program.plan.Restored;
import dev.bluebell.program.plan.Sequence;
import dev.bluebell.program.plan.Sequence.Boundary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a plan of the emitted instructions: schedules them into queues, with the entries that
 * restore them for the next call.
 */
final class PlanMaker {
  /**
   * Maximum length of a queue without its barriers. With as many barriers as possible, its length
   * is still less than the 2^15 WQEBBs that one SEND_EN can enable.
   */
  private static final int MAX_WQEBBS = 1 << 12;

  private final String name;
  private final Emitter emitter;
  private final Storage storage;
  private final List<MessagePart> message;
  private final Calls calls;

  /**
   * @param name name of the program
   * @param message parts of the client's message
   * @param calls number of calls that the plan answers
   */
  PlanMaker(String name, Emitter emitter, Storage storage, List<MessagePart> message, Calls calls) {
    this.name = name;
    this.emitter = emitter;
    this.storage = storage;
    this.message = message;
    this.calls = calls;
  }

  /**
   * The plan.
   *
   * @throws CompileException when an entry, a queue or the client's message is too long
   */
  Plan plan(Target target, Model model) {
    if (message.size() > Values.MAX_PARTS) {
      throw new CompileException(
          "%s uses %d inputs and buffers, and a message has at most %d parts; join inputs into fewer, longer ones"
              .formatted(name, message.size(), Values.MAX_PARTS));
    }
    emitter.finish();
    Callee callee;
    try {
      callee = callee(target, model);
    } catch (IllegalArgumentException tooLong) {
      throw tooLong(tooLong);
    }
    List<Instruction> all = new ArrayList<>(emitter.instructions());
    emitter.laps().forEach(lap -> all.addAll(lap.body()));
    EmittedSubprogram subprogram = emitter.subprogram();
    if (subprogram != null) {
      all.addAll(subprogram.body());
    }
    all.forEach(PlanMaker::checkSize);
    int wqebbs = all.stream().mapToInt(Instruction::wqebbs).sum();
    if (wqebbs > MAX_WQEBBS) {
      throw new CompileException(
          "%s would have %d WQEBBs, and a program has at most %d; do less in one program"
              .formatted(name, wqebbs, MAX_WQEBBS));
    }
    Map<Lane, List<Entry>> queues;
    try {
      queues = queues(sequence(callee), target == Target.CHECKED, model);
    } catch (IllegalArgumentException tooLong) {
      throw tooLong(tooLong);
    }
    return new Plan(name, queues, storage.areas(), message, calls);
  }

  private Map<Lane, List<Entry>> queues(Sequence sequence, boolean indexed, Model model) {
    return switch (calls) {
      case ONE -> queues(LoopScheduler.schedule(sequence, loops(), model, indexed, storage.sink()));
      case MANY -> {
        List<Restored> restored = restored(emitter.conditions(), emitter.instructions());
        storage.flags().forEach(flag -> restored.add(new Restored(flag.whole(), flag.content())));
        yield queues(
            Recycler.schedule(sequence, loops(), model, indexed, restored, storage.sink()));
      }
    };
  }

  private Map<Lane, List<Entry>> queues(LoopScheduler.Schedule schedule) {
    storage.add(schedule.tables());
    return schedule.queues();
  }

  /**
   * Schedules the subprogram into its ring, and inserts the READs that prepare the ring for each
   * call.
   */
  private @Nullable Callee callee(Target target, Model model) {
    EmittedSubprogram emitted = emitter.subprogram();
    if (emitted == null) {
      return null;
    }
    List<Restored> consumed = restored(emitted.conditions(), emitted.body());
    Callee callee = Callee.schedule(emitted.body(), consumed, model, target == Target.CHECKED);
    List<Mark> marks = emitter.marks().stream().filter(mark -> mark.kind == Boundary.CALL).toList();
    for (int call = marks.size() - 1; call >= 0; call--) {
      List<Instruction> reads;
      if (calls == Calls.MANY) {
        Callee.Ready ready = callee.ready(call, marks.size(), storage.sink());
        storage.add(List.of(ready.table()));
        ready.sums().forEach(emitter::append);
        reads = ready.reads();
      } else {
        reads =
            Copies.of(callee.before(call), storage, "make %s ready".formatted(emitted.source()));
      }
      emitter.makeReady(marks.get(call), reads);
    }
    return callee;
  }

  private Sequence sequence(@Nullable Callee callee) {
    List<List<Instruction>> blocks = new ArrayList<>();
    int from = 0;
    for (Mark mark : emitter.marks()) {
      blocks.add(emitter.instructions().subList(from, mark.position));
      from = mark.position;
    }
    blocks.add(emitter.instructions().subList(from, emitter.instructions().size()));
    return new Sequence(blocks, emitter.marks().stream().map(mark -> mark.kind).toList(), callee);
  }

  private CompileException tooLong(IllegalArgumentException why) {
    return new CompileException("%s: %s; do less in one program".formatted(name, why.getMessage()));
  }

  private List<Loop> loops() {
    List<Loop> loops = new ArrayList<>();
    for (int lap = 0; lap < emitter.laps().size(); lap += Emitter.LAPS) {
      loops.add(
          new Loop(
              Emitter.loopOfLap(lap),
              half(emitter.laps().get(lap)),
              half(emitter.laps().get(lap + 1))));
    }
    return loops;
  }

  private Loop.Half half(EmittedLap lap) {
    List<Restored> restored = restored(lap.conditions(), lap.body());
    if (calls == Calls.MANY) {
      // The gates that ended the loop in one call are restored for the next.
      for (Gate gate : List.of(lap.next(), lap.exit())) {
        restored.add(Restored.of(gate.opcodeField(), gate.opcodeAtFirst()));
      }
    }
    return new Loop.Half(lap.body(), restored, lap.next(), lap.exit());
  }

  /** Bytes that a call or a lap changes: armed or erased opcodes, and the words of conditions. */
  private List<Restored> restored(List<Area> words, List<Instruction> entries) {
    List<Restored> restored = new ArrayList<>();
    for (Area word : words) {
      restored.add(new Restored(word.whole(), word.content()));
    }
    for (Instruction each : entries) {
      if (each.isArmed() || emitter.isErased(each)) {
        restored.addAll(each.restored());
      }
    }
    return restored;
  }

  private static void checkSize(Instruction instruction) {
    if (instruction.ds() > ControlSegment.MAX_DS) {
      throw new CompileException(
          "%s needs %d units of 16 bytes, and an entry has at most %d; name fewer fields, or copy"
                  .formatted(instruction, instruction.ds(), ControlSegment.MAX_DS)
              + " numbers before they are used");
    }
  }
}
