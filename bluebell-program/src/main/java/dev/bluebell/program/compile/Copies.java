package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Address;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Instruction;
import dev.bluebell.program.plan.Restored;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** READs that write constants to several places. */
final class Copies {
  /** Maximum number of pieces of a READ. */
  static final int PIECES = Instruction.MAX_SCATTERS;

  private Copies() {}

  /** Creates as many READs as the pieces need. */
  static List<Instruction> of(List<Restored> pieces, Storage storage, String comment) {
    List<Instruction> reads = new ArrayList<>();
    for (int from = 0; from < pieces.size(); from += PIECES) {
      List<Restored> some = pieces.subList(from, Math.min(from + PIECES, pieces.size()));
      int bytes = some.stream().mapToInt(piece -> piece.content().length).sum();
      Instruction read =
          Instruction.read(Address.of(storage.area("ready", bytes).whole()), comment);
      fill(read, some);
      reads.add(read);
    }
    return reads;
  }

  /**
   * Checks that a READ can write some pieces by arming others.
   *
   * @throws CompileException when they need more READs than one READ can arm
   */
  static void checkInTwoSteps(int pieces) {
    if (pieces > PIECES * PIECES) {
      throw new CompileException(
          "a condition would change %d bytes of entries at once, and it can change %d; put less into its loop or subprogram"
              .formatted(pieces, PIECES * PIECES));
    }
  }

  /** Makes a READ write some pieces, from an area of its own. */
  static void fill(Instruction read, List<Restored> pieces) {
    Area from = (Area) Objects.requireNonNull(read.remote()).span().block();
    int at = 0;
    for (Restored piece : pieces) {
      from.put(at, piece.content());
      read.scatter(piece.place());
      at += piece.content().length;
    }
  }
}
