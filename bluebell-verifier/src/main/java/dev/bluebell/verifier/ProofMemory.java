package dev.bluebell.verifier;

import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Memory on a path of a proof, with the accesses of requests to it. */
final class ProofMemory {
  private final Path path;

  ProofMemory(Path path) {
    this.path = path;
  }

  /** Unknown bytes. */
  int[] unknown(int length) {
    int[] codes = new int[length];
    for (int i = 0; i < length; i++) {
      codes[i] = path.symbols.fresh();
    }
    return codes;
  }

  private Access whole(Access.Kind kind, Region region, Span span) {
    return span.access(kind, path.layout.place(region), region.length());
  }

  /** Reads the memory of a piece of a list. */
  int[] load(Piece piece, int[] entry, Span span) {
    if (!Symbols.areKnown(entry, piece.offset() + 8, 8)) {
      return loadAny(path.layout.source(piece.lkey()), piece.length(), span);
    }
    return load(local(piece.lkey(), null, piece.address(), piece.length(), span), span);
  }

  /** Reads from an unknown place in a region. */
  int[] loadAny(Region region, int length, Span span) {
    path.access(whole(Access.Kind.READ, region, span));
    return unknown(length);
  }

  /** Reads memory. */
  int[] load(List<Stretch> from, Span span) {
    int[] codes = new int[from.stream().mapToInt(Stretch::length).sum()];
    int done = 0;
    for (Stretch each : from) {
      path.access(span.access(Access.Kind.READ, each.place(), each.length()));
      System.arraycopy(path.codes(each.place(), each.length()), 0, codes, done, each.length());
      done += each.length();
    }
    return codes;
  }

  /** Writes to memory. */
  void store(List<Stretch> to, int[] codes, Span span) {
    int done = 0;
    for (Stretch each : to) {
      int[] part = Arrays.copyOfRange(codes, done, done + each.length());
      Access access = span.access(Access.Kind.WRITE, each.place(), each.length());
      store(access, part, 0, to.size() == 1);
      done += each.length();
    }
  }

  /**
   * The memory that a data segment names, through keys that are resolved when it is accessed.
   *
   * @param right the right that the access needs; null for reading
   */
  List<Stretch> local(int lkey, @Nullable Right right, long address, int length, Span span) {
    return path.keys.local(lkey, right, address, length, key -> use(key, span));
  }

  /** The memory of an owner that a remote address names, resolved likewise. */
  List<Stretch> remote(Region.Owner owner, Request request, int length, Span span) {
    return path.keys.remote(owner, request, length, key -> use(key, span));
  }

  private byte[] use(Region key, Span span) {
    path.access(whole(Access.Kind.READ, key, span));
    return bytes(path.layout.place(key), key.length());
  }

  /** Bytes of memory, which must be known. */
  byte[] bytes(int place, int length) {
    return known(path.codes(place, length));
  }

  /** Converts codes to bytes, which must be known. */
  static byte[] known(int[] codes) {
    Symbols.requireKnown(codes, 0, codes.length, "translation");
    return Symbols.bytes(codes);
  }

  /** Writes to an unknown place: afterwards, the whole region is unknown. */
  void scribble(Access.Kind kind, Region region, Span span) {
    Access everywhere = whole(kind, region, span);
    for (ProofQueue each : path.queues) {
      if (each.rings()
          .anyMatch(ring -> path.layout.touches(ring, everywhere.from(), everywhere.to()))) {
        throw new Refused(
            "%s writes to an address taken from data, which may be in the ring of %s",
            span.who(), each.name());
      }
    }
    store(everywhere, unknown(region.length()), 0);
  }

  /**
   * Writes to memory; a changed doorbell record posts receive entries.
   *
   * @param addend the addend, when the access adds
   */
  void store(Access access, int[] codes, long addend) {
    store(access, codes, addend, true);
  }

  private void store(Access access, int[] codes, long addend, boolean isWhole) {
    path.access(access);
    System.arraycopy(codes, 0, path.memory, access.from(), codes.length);
    path.waits.change(access, codes, addend, isWhole);
    for (ProofQueue each : path.queues) {
      long record = each.queue.receiveRecord();
      int at = record == 0 ? -1 : path.layout.place(Region.Owner.PROGRAM, record);
      if (at >= 0 && at < access.to() && access.from() < at + 4) {
        path.refuseUnsettled("the doorbell record fetch of " + each.name(), at, at + 4);
        post(each, at, access);
      }
    }
  }

  /** The doorbell record of a receive queue has changed. */
  private void post(ProofQueue at, int place, Access access) {
    int[] record = path.codes(place, 4);
    int counter = path.counters.taken(at);
    if (path.isAny(counter)) {
      int[] bytes = Arrays.copyOfRange(record, 2, 4);
      long offset = path.numbers.offset(path, bytes, place + 2, counter, "doorbell record");
      record[2] = (int) (offset >>> 8);
      record[3] = (int) offset & 0xff;
    }
    if (!Symbols.isKnown(record[2]) || !Symbols.isKnown(record[3])) {
      throw new Refused(
          "%s posts receive entries of %s, and data determines how many", access.who(), at.name());
    }
    int count = record[2] << 8 | record[3];
    long ahead = count - at.receiveLimit() & 0xffff;
    int slots = Objects.requireNonNull(at.queue.receive()).slots();
    if (at.receiveLimit() + ahead - at.taken > slots) {
      throw new Refused(
          "%s posts %d receive entries of %s, which has room for %d",
          access.who(), at.receiveLimit() + ahead - at.taken, at.name(), slots);
    }
    if (ahead > 0) {
      at.receiveLimits.add(new Limit(at.receiveLimit() + ahead, access.span().start()));
    }
  }
}
