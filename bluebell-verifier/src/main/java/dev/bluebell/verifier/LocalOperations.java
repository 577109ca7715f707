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
    Span span = at.span(who, at.begun, Chain.TRANSPOSED);
    Piece source = request.pieces().getFirst();
    Piece target = request.pieces().getLast();
    int[] matrix = memory.load(source, entry, span);
    int[] transposed = Arrays.stream(request.transposed()).map(each -> matrix[each]).toArray();
    List<Stretch> to =
        memory.local(target.lkey(), Right.LOCAL_WRITE, target.address(), target.length(), span);
    memory.store(to, transposed, span);
    at.transposed = at.after(at.begun.and(at.transposed), Chain.TRANSPOSED);
    return at.transposed;
  }

  /**
   * Changes a key, at any time after all earlier requests are complete; returns the events that
   * have happened then.
   */
  Clock changeKey(ProofQueue at, int[] entry, Request request, Actor who) {
    requireKnown(entry, request);
    Clock from = at.begun.and(at.complete);
    Span span = at.span(who, from, Chain.KEYED);
    @Nullable Piece elsewhere = KeyContents.translation(request);
    byte[] translation =
        elsewhere == null ? KeyContents.inlineTranslation(request) : fetch(elsewhere, span);
    Region key = path.keys.changed(request.changedKey());
    int place = path.layout.place(key);
    KeyContents old = new KeyContents(memory.bytes(place, key.length()));
    int[] changed = Symbols.codes(old.changedBy(request, translation));
    memory.store(span.access(Access.Kind.CHANGE, place, changed.length), changed, 0);
    at.keyed = at.after(from.and(at.keyed), Chain.KEYED);
    return at.keyed;
  }

  private byte[] fetch(Piece from, Span span) {
    return ProofMemory.known(
        memory.load(memory.local(from.lkey(), null, from.address(), from.length(), span), span));
  }

  private static void requireKnown(int[] entry, Request request) {
    if (!Symbols.areKnown(entry, 0, request.bytes().length)) {
      throw new IllegalRequest("is %s whose contents depend on data", Counted.a(request.name()));
    }
  }
}
