package dev.bluebell.verifier;

import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
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

  /** The same access, to any place in a region. */
  Access whole(Region region, Access access) {
    int place = path.layout.place(region);
    return access.at(place, place + region.length());
  }

  /** Reads the memory of a piece of a list. */
  int[] load(Piece piece, int[] entry, Access access) {
    if (!Execution.isKnown(entry, piece.offset() + 8)) {
      path.access(whole(path.layout.source(piece.lkey()), access));
      return unknown(piece.length());
    }
    return load(local(piece.lkey(), null, piece.address(), piece.length(), access), access);
  }

  /** Reads memory. */
  int[] load(List<Stretch> from, Access access) {
    int[] codes = new int[from.stream().mapToInt(Stretch::length).sum()];
    int done = 0;
    for (Stretch each : from) {
      path.access(access.at(each.place(), each.place() + each.length()));
      System.arraycopy(path.codes(each.place(), each.length()), 0, codes, done, each.length());
      done += each.length();
    }
    return codes;
  }

  /** Writes to memory. */
  void store(List<Stretch> to, int[] codes, Access access) {
    int done = 0;
    for (Stretch each : to) {
      int[] part = Arrays.copyOfRange(codes, done, done + each.length());
      Access there = access.at(each.place(), each.place() + each.length());
      store(each.place(), part, there, 0, to.size() == 1);
      done += each.length();
    }
  }

  /**
   * The memory that a data segment names, through keys that are resolved when it is accessed.
   *
   * @param right the right that the access needs; null for reading
   */
  List<Stretch> local(int lkey, @Nullable Right right, long address, int length, Access access) {
    return path.keys.local(lkey, right, address, length, key -> use(key, access));
  }

  /** The memory of an owner that a remote address names, resolved likewise. */
  List<Stretch> remote(Region.Owner owner, Request request, int length, Access access) {
    return path.keys.remote(owner, request, length, key -> use(key, access));
  }

  private byte[] use(Region key, Access access) {
    int place = path.layout.place(key);
    Access using =
        new Access(
            access.who(),
            false,
            true,
            false,
            place,
            place + key.length(),
            access.start(),
            access.chain(),
            access.end());
    path.access(using);
    return bytes(place, key.length());
  }

  /** Bytes of memory, which must be known. */
  byte[] bytes(int place, int length) {
    return known(path.codes(place, length));
  }

  /** Converts codes to bytes, which must be known. */
  static byte[] known(int[] codes) {
    byte[] bytes = new byte[codes.length];
    for (int i = 0; i < codes.length; i++) {
      if (!Symbols.isKnown(codes[i])) {
        throw new IllegalRequest("takes a translation from data that may be anything");
      }
      bytes[i] = (byte) codes[i];
    }
    return bytes;
  }

  /** Writes to an unknown place: afterwards, the whole region is unknown. */
  void scribble(Region region, Access access) {
    Access everywhere = whole(region, access);
    for (ProofQueue each : path.queues) {
      refuseRing(everywhere, each.queue.send(), each);
      if (each.queue.receive() != null) {
        refuseRing(everywhere, each.queue.receive(), each);
      }
    }
    store(everywhere.from(), unknown(region.length()), everywhere);
  }

  private void refuseRing(Access access, Ring ring, ProofQueue owner) {
    int place = path.layout.place(ring.region()) + ring.offset();
    if (place < access.to() && access.from() < place + (ring.slots() << ring.logStride())) {
      throw new Refused(
          "%s writes to an address taken from data, which may be in the ring of %s",
          access.who(), owner.name());
    }
  }

  /** Writes to memory; a changed doorbell record posts receive entries. */
  void store(int place, int[] codes, Access access) {
    store(place, codes, access, 0);
  }

  /**
   * As the other method, for an access that may add.
   *
   * @param addend the addend
   */
  void store(int place, int[] codes, Access access, long addend) {
    store(place, codes, access, addend, true);
  }

  private void store(int place, int[] codes, Access access, long addend, boolean isWhole) {
    path.access(access);
    System.arraycopy(codes, 0, path.memory, place, codes.length);
    path.waits.change(place, codes, access, addend, isWhole);
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
      at.receiveLimits.add(new Limit(at.receiveLimit() + ahead, access.start()));
    }
  }
}
