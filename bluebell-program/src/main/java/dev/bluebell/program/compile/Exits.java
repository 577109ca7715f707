package dev.bluebell.program.compile;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Gate;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * The breaks of a loop. The condition of each arms, by one byte, a READ that makes NOPs of all
 * instructions behind it in the loop: it scatters zeros over their opcodes. In a loop without a
 * bound it also closes the gate to the next lap, and opens the one that leads out.
 */
final class Exits {
  private final Emitter emitter;
  private final Storage storage;
  private final List<Gate> gates;
  private final boolean again;
  private final List<Exit> exits = new ArrayList<>();

  /**
   * A break.
   *
   * @param read what erases
   * @param from what it reads
   * @param behind position of the first instruction that it erases
   */
  private record Exit(Instruction read, Area from, int behind) {}

  /** A byte that a break writes. */
  private record Change(Span place, int value) {}

  /**
   * No breaks yet.
   *
   * @param gates of the lap, if the loop has no bound
   * @param again true when what a break erases may be executed again
   */
  Exits(Emitter emitter, Storage storage, List<Gate> gates, boolean again) {
    this.emitter = emitter;
    this.storage = storage;
    this.gates = List.copyOf(gates);
    this.again = again;
  }

  /** Emits a break at this place of the loop. */
  void add(String statement, Guard guard) {
    Area from = storage.area("erase", Copies.PIECES);
    Instruction read = Instruction.read(Address.of(from.whole()), statement);
    guard.emit(read);
    exits.add(new Exit(read, from, emitter.position()));
  }

  /** All instructions of the loop are there. The last break is the first to know its own. */
  void close() {
    for (Exit exit : exits.reversed()) {
      List<Change> changes = new ArrayList<>();
      gates.forEach(gate -> changes.add(new Change(gate.opcodeField(), gate.opcodeOfBreak())));
      for (Instruction each : emitter.erasable(exit.behind(), again)) {
        each.opcodeAndModifier().forEach(place -> changes.add(new Change(place, WqeOpcode.NOP)));
      }
      if (changes.size() <= Copies.PIECES) {
        scatter(changes, exit.read(), exit.from());
      } else {
        inTwoSteps(exit, changes);
      }
    }
  }

  private static void scatter(List<Change> changes, Instruction read, Area from) {
    for (int i = 0; i < changes.size(); i++) {
      read.scatter(changes.get(i).place());
      from.put(i, (byte) changes.get(i).value());
    }
  }

  /** One READ arms as many others as are needed. */
  private void inTwoSteps(Exit exit, List<Change> changes) {
    List<Instruction> others = new ArrayList<>();
    List<Change> armed = new ArrayList<>();
    for (int at = 0; at < changes.size(); at += Copies.PIECES) {
      Area from = storage.area("erase", Copies.PIECES);
      Instruction other = Instruction.read(Address.of(from.whole()), exit.read().comment());
      other.arm();
      scatter(changes.subList(at, Math.min(at + Copies.PIECES, changes.size())), other, from);
      armed.add(new Change(other.opcodeField(), WqeOpcode.RDMA_READ));
      others.add(other);
    }
    scatter(armed, exit.read(), exit.from());
    emitter.insert(exit.behind(), others);
  }
}
