package dev.bluebell.verifier;

import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates the operations of a machine: the bytes that each request transfers, and their places.
 * Keys that UMRs change are resolved at each access.
 */
final class Operations {
  private final Layout layout;
  private final Keys keys;

  Operations(Layout layout, Keys keys) {
    this.layout = layout;
    this.keys = keys;
  }

  /** Creates the operation of a request that begins. */
  Operation of(QueueState at, Request request, byte[] memory) {
    if (request.isTransposition()) {
      return transposition(at, request, memory);
    }
    if (request.isKeyChange()) {
      return keyChange(at, request, memory);
    }
    int length = request.length();
    byte[] payload = new byte[length];
    Transfer local = new Transfer(new int[length]);
    if (request.isPosted() || request.isAnswered()) {
      copyInline(request, payload);
      @Nullable Right right = request.isAnswered() ? Right.LOCAL_WRITE : null;
      local = transfer(now -> places(request.pieces(), right, now), length, memory);
    }
    Transfer remote = new Transfer(new int[0]);
    if (request.hasRemoteAddress() && length > 0) {
      Region.Owner owner = at.queue.isLoopback() ? Region.Owner.PROGRAM : Region.Owner.CLIENT;
      if (request.isAtomic()) {
        // An atomic's key must be a region's, not one that UMRs change.
        Region unused = layout.remote(owner, request);
      }
      remote =
          transfer(
              now -> places(keys.remote(owner, request, length, use(now)), length), length, memory);
    }
    return new Operation(at.sends.head(), request, payload, local, remote);
  }

  private static void copyInline(Request request, byte[] payload) {
    int done = 0;
    for (Piece piece : request.pieces()) {
      if (piece.inline()) {
        System.arraycopy(request.bytes(), piece.offset(), payload, done, piece.length());
      }
      done += piece.length();
    }
  }

  private Operation transposition(QueueState at, Request request, byte[] memory) {
    List<Piece> source = request.pieces().subList(0, 1);
    List<Piece> target = request.pieces().subList(1, 2);
    int length = source.getFirst().length();
    int[] order = request.transposed();
    Transfer remote =
        transfer(
            now -> {
              int[] matrix = places(source, null, now);
              return Arrays.stream(order).map(each -> matrix[each]).toArray();
            },
            length,
            memory);
    Transfer local = transfer(now -> places(target, Right.LOCAL_WRITE, now), length, memory);
    return new Operation(at.sends.head(), request, new byte[length], local, remote);
  }

  // ---- UMRs

  private Operation keyChange(QueueState at, Request request, byte[] memory) {
    @Nullable Piece elsewhere = KeyContents.translation(request);
    Region key = keys.changed(request.changedKey());
    int[] context = places(List.of(new Stretch(layout.place(key), key.length())), key.length());
    int length = elsewhere == null ? 0 : elsewhere.length();
    Transfer translation =
        elsewhere == null
            ? new Transfer(new int[0])
            : transfer(now -> places(List.of(elsewhere), null, now), length, memory);
    byte[] payload = elsewhere == null ? KeyContents.inlineTranslation(request) : new byte[length];
    return new Operation(at.sends.head(), request, payload, translation, new Transfer(context));
  }

  /** Executes a UMR whose translation has been read. */
  void changeKey(Operation operation, byte[] memory) {
    Region key = keys.changed(operation.request.changedKey());
    byte[] changed =
        new KeyContents(contents(key, memory)).changedBy(operation.request, operation.payload);
    System.arraycopy(changed, 0, memory, layout.place(key), changed.length);
  }

  // ---- messages

  /** The transfer of a message to the memory of a receive entry. */
  Transfer scatter(byte[] entry, int length, byte[] memory) {
    List<Piece> pieces = Piece.ofReceive(entry, length);
    return transfer(now -> places(pieces, Right.LOCAL_WRITE, now), length, memory);
  }

  // ---- places

  /** A transfer whose places are resolved now, if they can never change. */
  private Transfer transfer(Transfer.Where where, int length, byte[] memory) {
    return keys.areFixed() ? new Transfer(where.in(memory)) : new Transfer(where, length);
  }

  private int[] places(List<Piece> pieces, @Nullable Right right, byte[] memory) {
    int[] places = new int[pieces.stream().mapToInt(Piece::length).sum()];
    int done = 0;
    for (Piece piece : pieces) {
      int[] part = new int[piece.length()];
      if (piece.inline()) {
        Arrays.fill(part, -1);
      } else {
        part =
            places(
                keys.local(piece.lkey(), right, piece.address(), piece.length(), use(memory)),
                piece.length());
      }
      System.arraycopy(part, 0, places, done, part.length);
      done += part.length;
    }
    return places;
  }

  private static int[] places(List<Stretch> stretches, int length) {
    int[] places = new int[length];
    int done = 0;
    for (Stretch each : stretches) {
      for (int i = 0; i < each.length(); i++) {
        places[done++] = each.place() + i;
      }
    }
    return places;
  }

  private Keys.Use use(byte[] memory) {
    return key -> contents(key, memory);
  }

  private byte[] contents(Region key, byte[] memory) {
    int place = layout.place(key);
    return Arrays.copyOfRange(memory, place, place + key.length());
  }
}
