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
 * The breaks of a loop. The condition of each arms a READ, by one byte. The READ scatters zeros
 * over the opcodes of all later instructions in the loop, which makes them NOPs. In an unbounded
 * loop, it also closes the gate to the next lap and opens the gate out of the loop.
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
   * @param read READ that erases
   * @param from memory that it reads
   * @param behind position of the first instruction that it erases
   */
  private record Exit(Instruction read, Area from, int behind) {}

  /** A byte that a break writes. */
  private record Change(Span place, int value) {}

  /**
   * @param gates gates of the lap; empty for a bounded loop
   * @param again true when erased instructions may be executed again
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

  /**
   * Completes the READs of all breaks, from the last break to the first, once the loop has all its
   * instructions.
   */
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

  /** Lets the READ of a break arm as many other READs as the changes need. */
  private void inTwoSteps(Exit exit, List<Change> changes) {
    Copies.checkInTwoSteps(changes.size());
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
