package dev.bluebell.verifier;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Executes local requests on a path of a proof: transpositions and UMRs. */
final class LocalOperations {
  private final Path path;
  private final ProofMemory memory;

  LocalOperations(Path path, ProofMemory memory) {
    this.path = path;
    this.memory = memory;
  }

  /**
   * Transposes a matrix, at any time after the request begins; returns the events that have
   * happened then.
   */
  Clock transpose(ProofQueue at, int[] entry, Request request, Actor who) {
    requireKnown(entry, request);
    int chain = Chain.TRANSPOSED.of(at.number);
    int number = at.requests;
    Piece source = request.pieces().getFirst();
    Piece target = request.pieces().getLast();
    int[] matrix =
        memory.load(
            source, entry, new Access(who, false, true, false, 0, 0, at.begun, chain, number));
    int[] transposed = Arrays.stream(request.transposed()).map(each -> matrix[each]).toArray();
    Access write = new Access(who, false, false, true, 0, 0, at.begun, chain, number);
    List<Stretch> to =
        memory.local(target.lkey(), Right.LOCAL_WRITE, target.address(), target.length(), write);
    memory.store(to, transposed, write);
    Clock done = at.begun.and(at.transposed).with(chain, number);
    at.transposed = done;
    return done;
  }

  /**
   * Changes a key, at any time after all earlier requests are complete; returns the events that
   * have happened then.
   */
  Clock changeKey(ProofQueue at, int[] entry, Request request, Actor who) {
    requireKnown(entry, request);
    int chain = Chain.KEYED.of(at.number);
    int number = at.requests;
    Clock from = at.begun.and(at.complete);
    @Nullable Piece elsewhere = request.translation();
    byte[] translation =
        elsewhere == null
            ? request.inlineTranslation()
            : fetch(elsewhere, from, chain, number, who);
    Region key = path.keys.changed(request.changedKey());
    int place = path.layout.place(key);
    KeyContents old = new KeyContents(memory.bytes(place, key.length()));
    byte[] changed = old.changedBy(request, translation);
    int[] codes = new int[changed.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = changed[i] & 0xff;
    }
    memory.store(
        place,
        codes,
        new Access(who, false, true, true, place, place + codes.length, from, chain, number));
    Clock done = from.and(at.keyed).with(chain, number);
    at.keyed = done;
    return done;
  }

  private byte[] fetch(Piece from, Clock since, int chain, int number, Actor who) {
    Access access = new Access(who, false, true, false, 0, 0, since, chain, number);
    return ProofMemory.known(
        memory.load(
            memory.local(from.lkey(), null, from.address(), from.length(), access), access));
  }

  private static void requireKnown(int[] entry, Request request) {
    if (!Execution.isKnown(entry, 0, request.bytes().length)) {
      throw new IllegalRequest("is %s whose contents depend on data", Counted.a(request.name()));
    }
  }
}
