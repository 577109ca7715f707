package dev.bluebell.softnic.translation;

import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Effort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All memory keys of the device, and the checks of every access by key. Owned by the thread that
 * runs the engine.
 */
public final class KeyTable {
  /**
   * What {@link #translate} returns when the access is refused; no address of a process is
   * negative.
   */
  public static final long REFUSED = -1;

  /**
   * First index that is handed out: low ones are reserved, so that a key of small value is never
   * valid.
   */
  private static final int FIRST_INDEX = 0x10;

  /**
   * The lkey of nothing, dump_fill_mkey: what is scattered to it is lost, and zeros are gathered
   * from it. It is in no table, and nobody can create or destroy it.
   */
  public static final int NOTHING = 0x300;

  /** Bytes of an access of which each piece is looked at once more, to explain its refusal. */
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

  /** Keys whose indices and tags go round, see the other constructor. */
  public KeyTable(int limit, Explanations explanations, Acquaintance acquaintance, Effort effort) {
    this(limit, explanations, acquaintance, effort, null);
  }

  /**
   * @param limit keys at most
   * @param explanations where the table explains what fails nobody
   * @param effort what accesses cause
   * @param random draws indices and tags, so that nobody guesses a key; null when they go round
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

  /** Lets a memory stand before what keys name from now on. */
  public void reorder(ReorderedMemory memory) {
    reordered = memory;
  }

  /** What stands before the memory that keys name; null when payload keeps its order. */
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
   * A tag other than the one that the index was used with last, so that an old key does not fit a
   * new registration: the next one, unless tags are drawn.
   */
  public int nextTag(int index) {
    return tags[index] + (random == null ? 1 : random.nextInt(1, 0x100)) & 0xff;
  }

  public void put(MemoryKey key) {
    int index = key.key() >>> 8;
    if (reordered != null) {
      reordered.showAll();
      key.reorder(reordered);
    }
    keys[index] = key;
    tags[index] = (byte) key.key();
  }

  /** Removes a key; translations are made anew for every packet, so nothing uses it afterwards. */
  public void remove(MemoryKey key) {
    if (reordered != null) {
      reordered.showAll();
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
   * The key with this index as the client of a protection domain may know it: a key of another
   * client is none.
   */
  @Nullable MemoryKey known(int index, int pd) {
    MemoryKey there = atIndex(index);
    return there == null || tellsAll(there.pd(), pd) ? there : null;
  }

  /** True when who has one protection domain may hear all about keys of the other. */
  public boolean tellsAll(int toldOf, int told) {
    return toldOf == told || acquaintance.areOfOneClient(toldOf, told);
  }

  /** Indices below which all keys are. */
  public int slots() {
    return keys.length;
  }

  /** All keys that exist. */
  public List<MemoryKey> all() {
    List<MemoryKey> all = new ArrayList<>();
    for (MemoryKey key : keys) {
      if (key != null) {
        all.add(key);
      }
    }
    return all;
  }

  // ---- accesses

  /**
   * The fast path: checks an access to memory of this process in one piece, and says where it is.
   *
   * @param bytes length, at least 1
   * @param pd protection domain of the queue pair
   * @param rights bits of {@link MemoryKey} that the access needs, all of them
   * @return the address that the device can reach, good for {@code bytes}; {@link #REFUSED} when
   *     the access is not allowed, or when the memory is not of that kind: {@link #resolve} tells
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
   *     has the words
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
   * #resolve}, which may still be refused by a key that this one names.
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
   * Ends a key, as a peer's SEND with invalidate asks.
   *
   * @param pd protection domain of queue pair {@code qpn}
   * @return why it is refused; empty when the key was ended
   */
  public String invalidate(int key, int pd, int qpn) {
    MemoryKey found = find(key);
    if (found == null || found.pd() != pd || found.isFree() || !found.serves(qpn)) {
      return refusal("rkey", key, 0, 0, pd, qpn, 0);
    }
    if (!found.mayBeInvalidated()) {
      return KeyRefusals.notInvalidatable(key);
    }
    if (reordered != null) {
      reordered.showAll();
    }
    found.invalidate();
    found.lastChange().sendInvalidate();
    return "";
  }

  /** Changes a key as a UMR says, which was checked. */
  void change(MemoryKey key, KeyUpdate update) {
    if (reordered != null) {
      reordered.showAll();
    }
    key.take(update);
    tags[key.key() >>> 8] = (byte) key.key();
  }

  /**
   * Says why an access is not allowed.
   *
   * @param keyName how the request calls the key: lkey or rkey
   * @param qpn queue pair of the request, which {@code pd} is the domain of
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
        ? KeyRefusals.refusal(known(key >>> 8, pd), keyName, key, address, bytes, pd, qpn, rights)
            + KeyRefusals.reversed(key, known(Integer.reverseBytes(key) >>> 8, pd))
        : "%s 0x%x: %s".formatted(keyName, key, behind);
  }

  /**
   * Says why an access by a remote key is not allowed, to another client than the one that has the
   * key. The arguments are those of {@link #refusal}.
   */
  public String refusalToStranger(int key, long address, long bytes, int pd, int qpn, int rights) {
    return KeyRefusals.refusalToStranger(find(key), key, address, bytes, pd, qpn, rights);
  }
}
