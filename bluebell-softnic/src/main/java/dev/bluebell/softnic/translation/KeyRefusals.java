package dev.bluebell.softnic.translation;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The explanations of refused accesses by key. */
public final class KeyRefusals {
  private static final long LOWER_HALF = 0xffffffffL;

  private static final String[] RIGHTS = {
    "LOCAL_READ", "LOCAL_WRITE", "REMOTE_READ", "REMOTE_WRITE", "REMOTE_ATOMIC"
  };

  private KeyRefusals() {}

  /**
   * Says why an access is not allowed.
   *
   * @param found the key with the same index
   * @param keyName how the request calls the key: lkey or rkey
   * @param qpn queue pair of the request, whose domain is {@code pd}
   */
  static String refusal(
      @Nullable MemoryKey found,
      String keyName,
      int key,
      long address,
      long bytes,
      int pd,
      int qpn,
      int rights) {
    String why = plainRefusal(found, keyName, key, address, bytes, pd, qpn, rights);
    return found == null || found.changerQpn() == Mkc.ANY_QPN
        ? why
        : "%s. The UMR at WQE %d of QP 0x%x will change this key but has not been executed yet. A request waits for it only with a fence: fence 1 in fm_ce_se (0x20, small fence), or 0x80 to wait for READs as well"
            .formatted(why, found.changerIndex(), found.changerQpn());
  }

  private static String plainRefusal(
      @Nullable MemoryKey found,
      String keyName,
      int key,
      long address,
      long bytes,
      int pd,
      int qpn,
      int rights) {
    if (found == null) {
      return "%s 0x%x does not name a memory key: no key has index 0x%x (was the region closed?)"
          .formatted(keyName, key, key >>> 8);
    }
    if (found.key() != key && found.isFree() && found.pd() == pd) {
      return "%s 0x%x %s".formatted(keyName, key, found.lastChange().whyFree());
    }
    if (found.key() != key && found.lastChange().isUmr()) {
      return "%s 0x%x has the tag 0x%02x, but the memory key with this index is 0x%x. %s set that tag, which is the low byte of its qpn_mkey. A bind must name the current key in umr_mkey of the control segment, and the next tag, which is the old one plus one, in qpn_mkey"
          .formatted(keyName, key, key & 0xff, found.key(), found.lastChange().text());
    }
    if (found.key() != key) {
      return "%s 0x%x has the tag 0x%02x, but the memory key with this index is 0x%x: the %s is from an earlier registration, or was never handed out"
          .formatted(keyName, key, key & 0xff, found.key(), keyName);
    }
    if (found.pd() != pd) {
      return "%s 0x%x belongs to protection domain 0x%x, but the queue pair belongs to 0x%x"
          .formatted(keyName, key, found.pd(), pd);
    }
    if (!found.serves(qpn) && found.lastChange().isUmr()) {
      return "%s 0x%x is for QP 0x%x alone (qpn of the memory key), not for QP 0x%x. %s set it: a window of type 2 is bound on the queue pair that receives the access, and qpn_mkey is that queue pair's number followed by the new tag"
          .formatted(keyName, key, found.qpn(), qpn, found.lastChange().text());
    }
    if (!found.serves(qpn)) {
      return "%s 0x%x is for QP 0x%x alone (qpn of the memory key; 0xffffff lets any queue pair use it), not for QP 0x%x"
          .formatted(keyName, key, found.qpn(), qpn);
    }
    if (found.isFree()) {
      return "%s 0x%x %s".formatted(keyName, key, found.lastChange().whyFree());
    }
    if ((found.rights() & rights) != rights) {
      return "%s 0x%x does not grant %s: it was %s with %s"
          .formatted(
              keyName,
              key,
              names(rights & ~found.rights()),
              found.lastChange().isUmr() ? "bound" : "registered",
              names(found.rights()));
    }
    return "address 0x%x with byte_count %d reaches outside the region of %s 0x%x, which is [0x%x, 0x%x)%s"
        .formatted(
            address,
            bytes,
            keyName,
            key,
            found.start(),
            found.start() + found.length(),
            garbled(address, bytes, found));
  }

  /** Explains how the address was garbled, if its value shows that. */
  private static String garbled(long address, long bytes, MemoryKey found) {
    long reversed = Long.reverseBytes(address);
    if (found.contains(reversed, bytes)) {
      return ". Its bytes are in the wrong order: reversed it is 0x%x, which is inside"
          .formatted(reversed);
    }
    boolean hasOneHalf = address == (address & LOWER_HALF) || address == (int) address;
    long whole = (found.start() & ~LOWER_HALF) | (address & LOWER_HALF);
    return hasOneHalf && found.contains(whole, bytes)
        ? ". Its upper 32 bits are lost: 0x%x is inside".formatted(whole)
        : "";
  }

  /**
   * Explains that the bytes of a refused key are in the wrong order, if they are.
   *
   * @param other the key with the index of the reversed bytes
   */
  static String reversed(int key, @Nullable MemoryKey other) {
    int right = Integer.reverseBytes(key);
    return other == null || right == key || other.key() != right
        ? ""
        : ". Its bytes are in the wrong order: reversed it is 0x%x, which exists; keys in a WQE are big-endian, and in verbs in host order: convert a key once, when you exchange it"
            .formatted(right);
  }

  /**
   * Says why an access by a remote key is not allowed, without revealing more of the key than the
   * request itself contains.
   *
   * @param found the key, if there is one; {@code pd} is the domain of the queue pair that refuses
   */
  static String refusalToStranger(
      @Nullable MemoryKey found, int key, long address, long bytes, int pd, int qpn, int rights) {
    if (found == null || found.pd() != pd || found.isFree() || !found.serves(qpn)) {
      return "rkey 0x%x is not valid here: it is stale, was never handed out, or belongs to another protection domain or queue pair; the explanations of the process at the other end say which"
          .formatted(key);
    }
    if ((found.rights() & rights) != rights) {
      return "rkey 0x%x does not grant %s".formatted(key, names(rights & ~found.rights()));
    }
    return "address 0x%x with byte_count %d reaches outside the memory that rkey 0x%x grants"
        .formatted(address, bytes, key);
  }

  static String notInvalidatable(int key) {
    return "rkey 0x%x was registered without REMOTE_INVALIDATE (en_rinval), so no peer may invalidate it"
        .formatted(key);
  }

  /**
   * Says why an access that its key allows failed: the other process ended, or has no such memory.
   *
   * @param target the list at which the copy failed
   */
  public static String unreachable(String keyName, int key, SegmentList target) {
    return target.hasFailedByEnd()
        ? "the process that registered %s 0x%x has ended".formatted(keyName, key)
        : "the process that registered %s 0x%x no longer has such memory at that address: it unmapped or protected the memory while it was registered"
            .formatted(keyName, key);
  }

  private static String names(int rights) {
    return IntStream.range(0, RIGHTS.length)
        .filter(bit -> (rights & 1 << bit) != 0)
        .mapToObj(bit -> RIGHTS[bit])
        .collect(Collectors.joining(", "));
  }
}
