package dev.bluebell.softnic.translation;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Effort;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All memory keys of the device, and the checks of every access by key. Owned by the thread that
 * runs the engine.
 */
public final class KeyTable {
  /**
   * Returned by {@link #translate} when the access is refused; no address of a process is negative.
   */
  public static final long REFUSED = -1;

  /**
   * First index that is handed out: low ones are reserved, so that a small number is never a valid
   * key.
   */
  private static final int FIRST_INDEX = 0x10;

  /**
   * The null lkey, dump_fill_mkey: data scattered to it is dropped, and zeros are gathered from it.
   * It is in no table and cannot be created or destroyed.
   */
  public static final int NOTHING = 0x300;

  /** The longest access, in bytes, whose pieces are walked again to explain its refusal. */
  private static final int MAX_EXPLAINED = 1 << 20;

  private final int limit;
  private final Acquaintance acquaintance;
  private final Effort effort;
  private final @Nullable RandomGenerator random;
  private @Nullable MemoryKey[] keys = new MemoryKey[256];
  private byte[] tags = new byte[256];
  private int next = FIRST_INDEX;
  private final Walk walk;
  private final MemoryKey nothing;
  private @Nullable ReorderedMemory reordered;

  /** Knows which clients protection domains belong to. */
  public interface Acquaintance {

    /** True when both protection domains exist and belong to one client. */
    boolean areOfOneClient(int oneDomain, int otherDomain);
  }

  /**
   * @param limit upper bound of the indices, and so of the keys
   * @param explanations receives explanations that belong to no failed request
   * @param effort is charged for the accesses
   * @param random draws indices and tags, so that keys can't be guessed; null for rotation
   */
  public KeyTable(
      int limit,
      Explanations explanations,
      Acquaintance acquaintance,
      Effort effort,
      @Nullable RandomGenerator random) {
    this.random = random;
    this.limit = limit;
    this.acquaintance = acquaintance;
    this.effort = effort;
    Nowhere nowhere = new Nowhere(explanations);
    walk = new Walk(this, nowhere);
    nothing = MemoryKey.ofNothing(NOTHING, nowhere);
  }

  /** Routes all accesses by keys that are added from now on through this memory. */
  public void reorder(ReorderedMemory memory) {
    reordered = memory;
  }

  /** The memory that reorders payload; null when payload keeps its order. */
  public @Nullable ReorderedMemory reordered() {
    return reordered;
  }

  /** Reserves an index; -1 when the table is full. */
  public int allocateIndex() {
    if (random != null) {
      next = random.nextInt(FIRST_INDEX, limit);
    }
    for (int tried = 0; tried < limit; tried++) {
      int index = next;
      next = next + 1 == limit ? FIRST_INDEX : next + 1;
      if (index >= keys.length) {
        int size = Math.min(limit, Math.max(index + 1, 2 * keys.length));
        keys = Arrays.copyOf(keys, size);
        tags = Arrays.copyOf(tags, size);
      }
      if (keys[index] == null) {
        return index;
      }
    }
    return -1;
  }

  /**
   * A tag other than the last one of the index, so that a stale key does not match a new
   * registration: the next one, unless tags are drawn.
   */
  public int nextTag(int index) {
    return tags[index] + (random == null ? 1 : random.nextInt(1, 0x100)) & 0xff;
  }

  public void put(MemoryKey key) {
    int index = key.key() >>> 8;
    if (reordered != null) {
      reordered.showAll(key.pd());
      key.reorder(reordered);
    }
    keys[index] = key;
    tags[index] = (byte) key.key();
  }

  /** Removes a key; nothing uses it afterwards, because every packet is translated anew. */
  public void remove(MemoryKey key) {
    if (reordered != null) {
      reordered.showAll(key.pd());
    }
    keys[key.key() >>> 8] = null;
  }

  public @Nullable MemoryKey find(int key) {
    int index = key >>> 8;
    MemoryKey found = index < keys.length ? keys[index] : null;
    return found != null && found.key() == key ? found : null;
  }

  /** The key with this index, any 24 bits; null when there is none. */
  public @Nullable MemoryKey atIndex(int index) {
    return index < keys.length ? keys[index] : null;
  }

  /**
   * The key with this index if the client of a protection domain may know of it; null if it belongs
   * to another client.
   */
  @Nullable MemoryKey known(int index, int pd) {
    MemoryKey there = atIndex(index);
    return there == null || tellsAll(there.pd(), pd) ? there : null;
  }

  /** True when the owner of one protection domain may read everything about keys of the other. */
  public boolean tellsAll(int toldOf, int told) {
    return toldOf == told || acquaintance.areOfOneClient(toldOf, told);
  }

  /** Upper bound of the indices of all keys. */
  public int slots() {
    return keys.length;
  }

  // ---- accesses

  /**
   * The fast path: checks an access to memory of this process in one piece, and says where it is.
   *
   * @param bytes length, at least 1
   * @param pd protection domain of the queue pair
   * @param rights bits of {@link MemoryKey} that the access needs, all of them
   * @return the address that the device can reach, good for {@code bytes}; {@link #REFUSED} when
   *     the access is not allowed or the memory is of another kind: {@link #resolve} decides
   */
  public long translate(int key, long address, long bytes, int pd, int rights) {
    MemoryKey found = find(key);
    if (found == null
        || found.pd() != pd
        || (found.directRights() & rights) != rights
        || !found.contains(address, bytes)) {
      return REFUSED;
    }
    return found.direct(address);
  }

  /**
   * The slow path: checks an access to memory of any kind, and adds its pieces to a list. The
   * arguments are those of {@link #translate}.
   *
   * @param qpn the queue pair
   * @return false when the access is not allowed; nothing was added then, and {@link KeyRefusals}
   *     explains it
   */
  public boolean resolve(
      int key, long address, int bytes, int pd, int qpn, int rights, SegmentList out) {
    MemoryKey found = granting(key, address, bytes, pd, qpn, rights);
    if (found == null) {
      return false;
    }
    boolean done = walk.translate(found, address, bytes, qpn, rights, out);
    effort.add(walk.effort() + (out.hasForeign() ? Effort.SYSTEM_CALL : 0));
    return done;
  }

  /**
   * True when the key allows an access, to memory of any kind; the arguments are those of {@link
   * #resolve}, where a key that this one names may still refuse.
   */
  public boolean allows(int key, long address, long bytes, int pd, int qpn, int rights) {
    return granting(key, address, bytes, pd, qpn, rights) != null;
  }

  private @Nullable MemoryKey granting(
      int key, long address, long bytes, int pd, int qpn, int rights) {
    MemoryKey found = key == NOTHING ? nothing : find(key);
    return found != null && found.allows(address, bytes, pd, qpn, rights) ? found : null;
  }

  /**
   * Invalidates a key for a peer's SEND with invalidate.
   *
   * @param pd protection domain of queue pair {@code qpn}
   * @return why it is refused; empty when the key was invalidated
   */
  public String invalidate(int key, int pd, int qpn) {
    MemoryKey found = find(key);
    if (found == null || found.pd() != pd || found.isFree() || !found.serves(qpn)) {
      return refusalOfKey("rkey", key, 0, 0, pd, qpn, 0);
    }
    if (!found.mayBeInvalidated()) {
      return KeyRefusals.notInvalidatable(key);
    }
    if (reordered != null) {
      reordered.showAll(pd);
    }
    found.invalidate();
    found.lastChange().sendInvalidate();
    return "";
  }

  /** Applies the change of a UMR, which was checked, to a key. */
  void change(MemoryKey key, KeyUpdate update) {
    if (reordered != null) {
      reordered.showAll(key.pd());
    }
    key.take(update);
    tags[key.key() >>> 8] = (byte) key.key();
  }

  /**
   * Says why an access is not allowed.
   *
   * @param keyName how the request calls the key: lkey or rkey
   * @param qpn queue pair of the request, whose domain is {@code pd}
   */
  public String refusal(
      String keyName, int key, long address, long bytes, int pd, int qpn, int rights) {
    MemoryKey found = granting(key, address, bytes, pd, qpn, rights);
    String behind =
        found == null || bytes > MAX_EXPLAINED
            ? ""
            : walk.refusal(found, address, (int) bytes, qpn, rights);
    effort.add(behind.isEmpty() ? 0 : walk.effort());
    return behind.isEmpty()
        ? refusalOfKey(keyName, key, address, bytes, pd, qpn, rights)
        : "%s 0x%x: %s".formatted(keyName, key, behind);
  }

  /** Like {@link #refusal}, when the key itself refuses, and not one that it names. */
  private String refusalOfKey(
      String keyName, int key, long address, long bytes, int pd, int qpn, int rights) {
    return KeyRefusals.refusal(known(key >>> 8, pd), keyName, key, address, bytes, pd, qpn, rights)
        + KeyRefusals.reversed(key, known(Integer.reverseBytes(key) >>> 8, pd));
  }

  /**
   * Says why an access by a remote key is not allowed, for a client that does not own the key. The
   * arguments are those of {@link #refusal}.
   */
  public String refusalToStranger(int key, long address, long bytes, int pd, int qpn, int rights) {
    return KeyRefusals.refusalToStranger(find(key), key, address, bytes, pd, qpn, rights);
  }
}
