package dev.bluebell.softnic.translation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All memory keys of the device, and the checks of every access by key. Owned by whoever runs the
 * engine.
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

  private final int limit;
  private @Nullable MemoryKey[] keys = new MemoryKey[256];
  private byte[] tags = new byte[256];
  private int next = FIRST_INDEX;

  /**
   * @param limit keys at most
   */
  public KeyTable(int limit) {
    this.limit = limit;
  }

  /** Reserves an index; -1 when the table is full. */
  public int allocateIndex() {
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
   * The tag that follows the one that the index was used with last, so that an old key does not fit
   * a new registration.
   */
  public int nextTag(int index) {
    return tags[index] + 1 & 0xff;
  }

  public void put(MemoryKey key) {
    int index = key.key() >>> 8;
    keys[index] = key;
    tags[index] = (byte) key.key();
  }

  /** Removes a key; translations are made anew for every packet, so nothing uses it afterwards. */
  public void remove(MemoryKey key) {
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

  /**
   * Checks an access and says where its memory is.
   *
   * @param bytes length, at least 1
   * @param pd protection domain of the queue pair
   * @param rights bits of {@link MemoryKey} that the access needs, all of them
   * @return the address that the device can reach, good for {@code bytes}; {@link #REFUSED} when
   *     the access is not allowed, or when the memory is another process's: {@link #foreign} tells
   */
  public long translate(int key, long address, long bytes, int pd, int rights) {
    MemoryKey found = find(key);
    if (found == null
        || found.pd() != pd
        || (found.ownRights() & rights) != rights
        || !found.contains(address, bytes)) {
      return REFUSED;
    }
    return found.translate(address);
  }

  /**
   * The key for an access that {@link #translate} refused, when the access is allowed and the
   * memory is another process's; otherwise null. The arguments are those of {@code translate}.
   */
  public @Nullable MemoryKey foreign(int key, long address, long bytes, int pd, int rights) {
    MemoryKey found = find(key);
    return found != null
            && found.foreign() != null
            && found.pd() == pd
            && (found.rights() & rights) == rights
            && found.contains(address, bytes)
        ? found
        : null;
  }

  /**
   * True when an access is allowed, whosever memory it is; the arguments are those of translate.
   */
  public boolean allows(int key, long address, long bytes, int pd, int rights) {
    return translate(key, address, bytes, pd, rights) != REFUSED
        || foreign(key, address, bytes, pd, rights) != null;
  }

  /**
   * Ends a key, as a peer's SEND with invalidate asks.
   *
   * @param pd protection domain of the queue pair
   * @return why it is refused; empty when the key was ended
   */
  public String invalidate(int key, int pd) {
    MemoryKey found = find(key);
    if (found == null || found.pd() != pd || found.isFree()) {
      return refusal("rkey", key, 0, 0, pd, 0);
    }
    if (!found.mayBeInvalidated()) {
      return "rkey 0x%x was registered without REMOTE_INVALIDATE (en_rinval), so no peer may invalidate it"
          .formatted(key);
    }
    found.invalidate();
    return "";
  }

  /**
   * Says why {@link #translate} refused these arguments.
   *
   * @param keyName how the WQE calls the key: local or remote
   */
  public String refusal(String keyName, int key, long address, long bytes, int pd, int rights) {
    int index = key >>> 8;
    MemoryKey found = index < keys.length ? keys[index] : null;
    if (found == null) {
      return "%s 0x%x names no memory key: none exists with index 0x%x (was the region closed?)"
          .formatted(keyName, key, index);
    }
    if (found.key() != key) {
      return "%s 0x%x has the tag 0x%02x, but the memory key with this index is 0x%x: the %s is from an earlier registration, or was never handed out"
          .formatted(keyName, key, key & 0xff, found.key(), keyName);
    }
    if (found.pd() != pd) {
      return "%s 0x%x belongs to protection domain 0x%x, the queue pair to 0x%x"
          .formatted(keyName, key, found.pd(), pd);
    }
    if (found.isFree()) {
      return "%s 0x%x was invalidated by a SEND with invalidate".formatted(keyName, key);
    }
    if ((found.rights() & rights) != rights) {
      return "%s 0x%x does not grant %s: it was registered with %s"
          .formatted(keyName, key, names(rights & ~found.rights()), names(found.rights()));
    }
    return "address 0x%x with byte_count %d reaches outside the region of %s 0x%x, which is [0x%x, 0x%x)"
        .formatted(address, bytes, keyName, key, found.start(), found.start() + found.length());
  }

  /**
   * Says that an access which a key allows failed, because the other process has no such memory.
   */
  public static String unreachable(String keyName, int key) {
    return "the process that registered %s 0x%x can't be reached at that address: it ended, or it unmapped or protected the memory while it was registered"
        .formatted(keyName, key);
  }

  private static String names(int rights) {
    List<String> names = new ArrayList<>();
    String[] all = {"LOCAL_READ", "LOCAL_WRITE", "REMOTE_READ", "REMOTE_WRITE", "REMOTE_ATOMIC"};
    for (int i = 0; i < all.length; i++) {
      if ((rights & 1 << i) != 0) {
        names.add(all[i]);
      }
    }
    return String.join(", ", names);
  }
}
