package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.memory.Memory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The translated gather or scatter list of one message: pieces in order, at addresses that the
 * device can reach or in memory of other processes.
 *
 * <p>All payload that the device moves goes through {@code copyTo}. Invariant: every piece was
 * accepted by {@link KeyTable} or lies in the device's own memory, and the list is used only within
 * the step that translated it.
 */
public final class SegmentList {
  /**
   * The most pieces that a list keeps room for: 2.5 KiB. Translations with strides may have very
   * many, and a queue pair has up to ten lists, for which its client's quota must suffice.
   */
  private static final int KEPT = 128;

  /** The most pieces copied one by one to find the one at which a copy of many failed. */
  private static final int SEARCHED = 2 * HcaForeignMemory.MAX_PIECES;

  private long[] addresses = new long[4];
  private int[] lengths = new int[4];
  private int count;

  // Null while no piece belongs to another process, as is nearly always so if the device runs in
  // the client's process.
  private @Nullable HcaForeignMemory @Nullable [] owners;
  private int[] keys = new int[0];
  private int failedKey;
  private boolean failedByEnd;

  // The process whose pieces wait to be copied together.
  private @Nullable HcaForeignMemory batch;

  /** Removes all pieces, and frees the room of a very long list. */
  public void clear() {
    count = 0;
    owners = null;
    if (addresses.length > KEPT) {
      addresses = new long[4];
      lengths = new int[4];
      keys = new int[0];
    }
  }

  /** Clears a very long list. */
  private void shrink() {
    if (addresses.length > KEPT) {
      clear();
    }
  }

  /** Number of pieces. */
  int size() {
    return count;
  }

  /** Truncates the list to its first pieces. */
  void truncate(int pieces) {
    if (owners != null) {
      Arrays.fill(owners, pieces, count, null);
    }
    count = pieces;
    if (pieces == 0) {
      shrink();
    }
  }

  /**
   * The address of the only piece.
   *
   * @return its address if there is exactly one piece, in this process; −1 otherwise
   */
  public long onlyPiece() {
    return count == 1 && owners == null ? addresses[0] : KeyTable.REFUSED;
  }

  public void add(long address, int length) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
      if (owners != null) {
        owners = Arrays.copyOf(owners, 2 * count);
      }
    }
    addresses[count] = address;
    lengths[count] = length;
    count++;
  }

  /** Adds the pieces of another list, which is fetched. */
  public void addAll(SegmentList other) {
    for (int i = 0; i < other.count; i++) {
      add(other.addresses[i], other.lengths[i]);
    }
  }

  /** Adds the pieces of another list, which is fetched, without its first {@code skip} bytes. */
  public void addBehind(SegmentList other, int skip) {
    int before = skip;
    for (int i = 0; i < other.count; i++) {
      int skipped = Math.min(before, other.lengths[i]);
      before -= skipped;
      if (skipped < other.lengths[i]) {
        add(other.addresses[i] + skipped, other.lengths[i] - skipped);
      }
    }
  }

  /**
   * Adds a piece of another process's memory.
   *
   * @param address in that process
   * @param key by which it was reached, for {@link #failedKey}
   */
  void addForeign(HcaForeignMemory owner, long address, int length, int key) {
    add(address, length);
    if (owners == null) {
      owners = new HcaForeignMemory[addresses.length];
    }
    if (keys.length < addresses.length) {
      keys = Arrays.copyOf(keys, addresses.length);
    }
    owners[count - 1] = owner;
    keys[count - 1] = key;
  }

  /** True when a piece is another process's memory. */
  public boolean hasForeign() {
    return owners != null;
  }

  /** True when the list is to be {@linkplain #fetch fetched}: it has foreign or many pieces. */
  public boolean isToBeFetched() {
    return owners != null || count > KEPT;
  }

  /** Key of the piece at which a copy failed. */
  public int failedKey() {
    return failedKey;
  }

  /** True when that copy failed because the process of the memory has ended. */
  public boolean hasFailedByEnd() {
    return failedByEnd;
  }

  private boolean note(boolean done, HcaForeignMemory owner) {
    failedByEnd = !done && owner.hasEnded();
    return done;
  }

  /**
   * Copies all data into memory of the device, so that the list has one piece.
   *
   * @param address where the device has room for {@code bytes}, which is the length of the list
   * @return false when a piece can't be read, see {@link #failedKey}
   */
  public boolean fetch(long address, int bytes) {
    boolean done = read(address, bytes);
    shrink();
    if (!done) {
      return false;
    }
    clear();
    add(address, bytes);
    return true;
  }

  /**
   * Copies the data of the whole list, including other processes' pieces, to one place.
   *
   * @param address where the device has room for {@code bytes}, which is the length of the list
   * @return false when a piece can't be read, see {@link #failedKey}
   */
  public boolean read(long address, int bytes) {
    if (hasManyForeign()) {
      boolean read = readAll(address, bytes, true);
      if (read || count > SEARCHED) {
        return read;
      }
    }
    return readAll(address, bytes, false);
  }

  private boolean readAll(long address, int bytes, boolean together) {
    batch = null;
    int done = 0;
    for (int i = 0; done < bytes; i++) {
      long to = address + done;
      if (together ? !readTogether(i, to, lengths[i]) : !read(i, to, lengths[i])) {
        return false;
      }
      done += lengths[i];
    }
    return endBatch();
  }

  private boolean readTogether(int piece, long to, int bytes) {
    HcaForeignMemory owner = owner(piece);
    if (owner == null || owner instanceof Nowhere) {
      return read(piece, to, bytes);
    }
    return joinBatch(owner, piece) && note(owner.readPiece(addresses[piece], to, bytes), owner);
  }

  /** True when copying other processes' pieces together saves system calls. */
  private boolean hasManyForeign() {
    return count > 1 && owners != null;
  }

  private boolean joinBatch(HcaForeignMemory owner, int piece) {
    failedKey = keys[piece];
    if (owner.equals(batch)) {
      return true;
    }
    boolean ended = endBatch();
    batch = owner;
    owner.begin();
    return ended;
  }

  private boolean endBatch() {
    HcaForeignMemory last = batch;
    batch = null;
    return last == null || note(last.finish(), last);
  }

  private boolean read(int piece, long to, int bytes) {
    HcaForeignMemory owner = owner(piece);
    if (owner == null) {
      Memory.copy(addresses[piece], to, bytes);
      return true;
    }
    failedKey = keys[piece];
    return note(owner.read(addresses[piece], to, bytes), owner);
  }

  private @Nullable HcaForeignMemory owner(int piece) {
    return owners == null ? null : owners[piece];
  }

  /**
   * Copies the first {@code bytes} of this list, which is fetched and has that many, to one place.
   */
  public void copyTo(long address, int bytes) {
    if (count == 1) {
      Memory.copy(addresses[0], address, bytes);
      return;
    }
    int done = 0;
    for (int i = 0; done < bytes; i++) {
      int n = Math.min(lengths[i], bytes - done);
      Memory.copy(addresses[i], address + done, n);
      done += n;
    }
  }

  /**
   * Copies the first {@code bytes} of this list, which is fetched, to the beginning of another,
   * which is used up afterwards; both have that many.
   *
   * @return false when a piece of the other list can't be written, see its {@link #failedKey}
   */
  public boolean copyTo(SegmentList to, int bytes) {
    if (to.count == 1 && to.owners == null) {
      copyTo(to.addresses[0], bytes);
      return true;
    }
    boolean done = bytes == 0 || copyToMany(to, bytes);
    to.shrink();
    return done;
  }

  private boolean copyToMany(SegmentList to, int bytes) {
    if (to.hasManyForeign()) {
      boolean copied = copyPieces(to, bytes, true);
      if (copied || to.count > SEARCHED) {
        return copied;
      }
    }
    return copyPieces(to, bytes, false);
  }

  private boolean copyPieces(SegmentList to, int bytes, boolean together) {
    to.batch = null;
    int source = 0;
    int target = 0;
    int sourceAt = 0;
    int targetAt = 0;
    int left = bytes;
    while (left > 0) {
      int n = Math.min(left, Math.min(lengths[source] - sourceAt, to.lengths[target] - targetAt));
      long from = addresses[source] + sourceAt;
      if (together
          ? !to.writeTogether(target, targetAt, from, n)
          : !to.write(target, targetAt, from, n)) {
        return false;
      }
      left -= n;
      sourceAt += n;
      targetAt += n;
      if (sourceAt == lengths[source]) {
        source++;
        sourceAt = 0;
      }
      if (targetAt == to.lengths[target]) {
        target++;
        targetAt = 0;
      }
    }
    return to.endBatch();
  }

  private boolean writeTogether(int piece, int offset, long from, int bytes) {
    HcaForeignMemory owner = owner(piece);
    if (owner == null || owner instanceof Nowhere) {
      return write(piece, offset, from, bytes);
    }
    return joinBatch(owner, piece) && owner.writePiece(addresses[piece] + offset, from, bytes);
  }

  private boolean write(int piece, int offset, long from, int bytes) {
    HcaForeignMemory owner = owner(piece);
    if (owner == null) {
      Memory.copy(from, addresses[piece] + offset, bytes);
      return true;
    }
    failedKey = keys[piece];
    return note(owner.write(addresses[piece] + offset, from, bytes), owner);
  }
}
