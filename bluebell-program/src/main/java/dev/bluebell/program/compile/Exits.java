package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * The breaks of a loop. The condition of each arms, by one byte, a READ that makes NOPs of all
 * instructions behind it in the loop: it scatters zeros over their opcodes.
 */
final class Exits {
  /** Data segments that a READ has room for, behind control and remote address. */
  private static final int PIECES = ControlSegment.MAX_DS - 2;

  private final Emitter emitter;
  private final List<Exit> exits = new ArrayList<>();

  /**
   * A break.
   *
   * @param read what erases
   * @param from what it reads
   * @param behind position of the first instruction that it erases
   */
  private record Exit(Instruction read, Area from, int behind) {}

  Exits(Emitter emitter) {
    this.emitter = emitter;
  }

  /** Emits a break at this place of the loop. */
  void add(String statement, Guard guard) {
    Area from = emitter.area("erase", PIECES);
    Instruction read = Instruction.read(Address.of(from.whole()), statement);
    guard.emit(read);
    exits.add(new Exit(read, from, emitter.position()));
  }

  /** All instructions of the loop are there. The last break is the first to know its own. */
  void close() {
    for (Exit exit : exits.reversed()) {
      List<Span> opcodes = new ArrayList<>();
      emitter.erasable(exit.behind()).forEach(each -> opcodes.addAll(each.opcodeAndModifier()));
      if (opcodes.size() <= PIECES) {
        opcodes.forEach(exit.read()::scatter);
      } else {
        inTwoSteps(exit, opcodes);
      }
    }
  }

  /** One READ arms as many others as are needed. */
  private void inTwoSteps(Exit exit, List<Span> opcodes) {
    List<Instruction> others = new ArrayList<>();
    for (int at = 0; at < opcodes.size(); at += PIECES) {
      Area zeros = emitter.area("erase", PIECES);
      Instruction other = Instruction.read(Address.of(zeros.whole()), exit.read().comment());
      other.arm();
      opcodes.subList(at, Math.min(at + PIECES, opcodes.size())).forEach(other::scatter);
      exit.read().scatter(other.opcodeField());
      exit.from().put(others.size(), (byte) WqeOpcode.RDMA_READ);
      others.add(other);
    }
    emitter.insert(exit.behind(), others);
  }
}
