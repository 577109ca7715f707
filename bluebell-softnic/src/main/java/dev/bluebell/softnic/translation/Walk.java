package dev.bluebell.softnic.translation;

import dev.bluebell.softnic.engine.Effort;

/**
 * One access through indirect keys: follows them to memory, checks each, and explains which one
 * refused. Reused; owned by the thread that runs the engine.
 */
public final class Walk {
  /** The longest chain of indirect keys: max_indirection of the capabilities. */
  public static final int MAX_DEPTH = 4;

  private final KeyTable keys;
  private final Nowhere nowhere;
  private int pd;
  private int qpn;
  private int rights;
  private int depth;
  private int steps;
  private String refusal = "";

  // Whether to format an explanation.
  private boolean explains;

  /**
   * @param nowhere the memory of keys that were bound without an entry
   */
  Walk(KeyTable keys, Nowhere nowhere) {
    this.keys = keys;
    this.nowhere = nowhere;
  }

  /**
   * Translates an access that its key allowed.
   *
   * @param accessRights what the access needs of {@code key}
   * @return false when a key behind this one refuses; nothing was added then
   */
  boolean translate(
      MemoryKey key, long address, int bytes, int accessQpn, int accessRights, SegmentList out) {
    pd = key.pd();
    qpn = accessQpn;
    rights = localRights(accessRights);
    depth = 0;
    steps = 0;
    int before = out.size();
    if (key.translate(address, bytes, this, out)) {
      return true;
    }
    out.truncate(before);
    return false;
  }

  /** Why {@link #translate} refuses an access; empty when it does not. */
  String refusal(MemoryKey key, long address, int bytes, int accessQpn, int accessRights) {
    explains = true;
    refusal = "";
    translate(key, address, bytes, accessQpn, accessRights, new SegmentList());
    explains = false;
    return refusal;
  }

  /**
   * The rights that keys behind an indirect key must grant: local ones, because the key that the
   * peer names grants the remote rights.
   */
  private static int localRights(int rights) {
    int reads = MemoryKey.LOCAL_READ | MemoryKey.REMOTE_READ | MemoryKey.REMOTE_ATOMIC;
    int writes = MemoryKey.LOCAL_WRITE | MemoryKey.REMOTE_WRITE | MemoryKey.REMOTE_ATOMIC;
    return ((rights & reads) != 0 ? MemoryKey.LOCAL_READ : 0)
        | ((rights & writes) != 0 ? MemoryKey.LOCAL_WRITE : 0);
  }

  /** The effort of the last access: one lookup per entry on the way, and the copy of its piece. */
  long effort() {
    return (steps + 1L) * Effort.PIECE;
  }

  /** Adds a piece of {@link Nowhere}. */
  void addNothing(int bytes, int key, SegmentList out) {
    nowhere.note(keys.atIndex(key >>> 8));
    out.addForeign(nowhere, 0, bytes, key);
  }

  /**
   * Follows an entry to the key that it names.
   *
   * @param from key of the entry
   * @param entry number of the entry
   */
  boolean enter(int from, int entry, int key, long address, int bytes, SegmentList out) {
    steps++;
    MemoryKey found = keys.find(key);
    if (found == null || !found.allows(address, bytes, pd, qpn, rights)) {
      return refuse(from, entry, key, address, bytes);
    }
    if (!found.isIndirect()) {
      return found.translate(address, bytes, this, out);
    }
    if (depth == MAX_DEPTH - 1) {
      return refuseDepth(from, entry, key);
    }
    depth++;
    boolean done = found.translate(address, bytes, this, out);
    depth--;
    return done;
  }

  private boolean refuse(int from, int entry, int key, long address, int bytes) {
    if (explains) {
      MemoryKey there = keys.known(key >>> 8, pd);
      refusal =
          "entry %d of the translation of memory key 0x%x refuses: %s"
              .formatted(
                  entry,
                  from,
                  KeyRefusals.refusal(there, "mkey", key, address, bytes, pd, qpn, rights));
    }
    return false;
  }

  private boolean refuseDepth(int from, int entry, int key) {
    if (explains) {
      refusal =
          "entry %d of the translation of memory key 0x%x names mkey 0x%x, which names other keys again: at most %d keys may follow one another (max_indirection), and a cycle never ends"
              .formatted(entry, from, key, MAX_DEPTH);
    }
    return false;
  }

  /** Refuses an access beyond the last entry of a key. */
  boolean refuseBehindEnd(int key, int bytes) {
    if (explains) {
      refusal =
          "the entries of the translation of memory key 0x%x end %d bytes before the access does: len of its context is larger than their total length"
              .formatted(key, bytes);
    }
    return false;
  }
}
