package dev.bluebell.softnic.translation;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.Field;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A memory key: the addresses and rights that it grants, to which queue pairs, and, by its {@link
 * Translation}, where the memory is. Mirrors the context {@link Mkc}.
 */
public final class MemoryKey {
  public static final int LOCAL_READ = 1;
  public static final int LOCAL_WRITE = 2;
  public static final int REMOTE_READ = 4;
  public static final int REMOTE_WRITE = 8;
  public static final int REMOTE_ATOMIC = 16;

  /** Stands for all protection domains; no real domain has this number. */
  private static final int ANY_DOMAIN = 0xffffff;

  private int key;
  private final int pd;
  private int qpn;
  private long start;
  private long length;
  private final @Nullable Umem umem;

  // Bytes of memory behind the key, which may be more than its length.
  private final long extent;
  private final byte[] context;
  private Translation translation;
  private final @Nullable Indirection indirection;
  private final KeyChange lastChange = new KeyChange();
  private int rights;

  // For the fast path: the rights that it grants, those that it may grant whatever a UMR changes,
  // and the address of offset 0.
  private int directRights;
  private int mostDirectRights;
  private final long base;

  // The send queue whose fetched UMR will change the key, and the index of its WQE.
  private int changerQpn = Mkc.ANY_QPN;
  private int changerIndex;
  private boolean usedNothing;

  /**
   * Makes a direct key for memory.
   *
   * @param key index and tag
   * @param context the mkey context, 64 bytes, kept for QUERY_MKEY
   * @param umemOffset where in the umem the first byte lies; {@code [umemOffset, umemOffset + len)}
   *     was checked to lie inside
   * @param start the address by which work requests name the first byte
   */
  public MemoryKey(int key, byte[] context, Umem umem, long umemOffset, long start) {
    this(key, context, umem, Mkc.LEN.get(context, 0), umem.translation(umemOffset), null, start);
  }

  /** The null key, which queue pairs of all domains may use as an lkey: see {@link Nowhere}. */
  static MemoryKey ofNothing(int key, Nowhere nothing) {
    byte[] context = new byte[Mkc.STRUCTURE.bytes()];
    Mkc.QPN.set(context, 0, Mkc.ANY_QPN);
    Mkc.LEN.set(context, 0, Long.MAX_VALUE);
    Mkc.PD.set(context, 0, ANY_DOMAIN);
    Mkc.LR.set(context, 0, 1);
    Mkc.LW.set(context, 0, 1);
    return new MemoryKey(
        key, context, null, Long.MAX_VALUE, new Translation.Foreign(nothing, 0), null, 0);
  }

  private MemoryKey(
      int key,
      byte[] context,
      @Nullable Umem umem,
      long extent,
      Translation translation,
      @Nullable Indirection indirection,
      long start) {
    this.key = key;
    this.context = context;
    this.umem = umem;
    this.extent = extent;
    this.translation = translation;
    this.indirection = indirection;
    this.start = start;
    pd = (int) Mkc.PD.get(context, 0);
    base = translation.direct();
    mostDirectRights = translation.isDirect() ? ~0 : 0;
    refresh();
  }

  /**
   * An indirect key, which names other keys.
   *
   * @param entries the most entries that its translation may have
   */
  public static MemoryKey indirect(int key, byte[] context, int entries) {
    Indirection indirection = new Indirection(entries);
    return new MemoryKey(
        key,
        context,
        null,
        Long.MAX_VALUE,
        indirection,
        indirection,
        Mkc.START_ADDR.get(context, 0));
  }

  /** Caches the fields of the context that accesses need. */
  private void refresh() {
    qpn = (int) Mkc.QPN.get(context, 0);
    length = Mkc.LEN.get(context, 0);
    rights =
        isFree()
            ? 0
            : right(Mkc.LR, LOCAL_READ)
                | right(Mkc.LW, LOCAL_WRITE)
                | right(Mkc.RR, REMOTE_READ)
                | right(Mkc.RW, REMOTE_WRITE)
                | right(Mkc.A, REMOTE_ATOMIC);
    directRights = qpn == Mkc.ANY_QPN ? rights & mostDirectRights : 0;
  }

  private int right(Field field, int bit) {
    return isSet(field) ? bit : 0;
  }

  private boolean isSet(Field field) {
    return field.get(context, 0) != 0;
  }

  /**
   * Routes accesses by the key through this memory. Atomics bypass it, because they are atomic with
   * respect to the host's processors, too.
   */
  void reorder(ReorderedMemory memory) {
    if (indirection != null) {
      // The keys that it names are routed instead.
      return;
    }
    // Checked at each write, because a UMR may change it.
    BooleanSupplier relaxed = () -> isSet(Mkc.RELAXED_ORDERING_WRITE);
    translation =
        new Translation.Foreign(memory.around(translation, relaxed), translation.direct());
    mostDirectRights &= REMOTE_ATOMIC;
    refresh();
  }

  public int key() {
    return key;
  }

  public int pd() {
    return pd;
  }

  /** The one queue pair that may use the key; {@link Mkc#ANY_QPN} when any may. */
  public int qpn() {
    return qpn;
  }

  /** True when a queue pair may use the key. */
  public boolean serves(int user) {
    return qpn == Mkc.ANY_QPN || qpn == user;
  }

  /** The rights that the key grants; 0 when it was invalidated. */
  public int rights() {
    return rights;
  }

  /**
   * The rights on the fast path: 0 unless the key names one piece of this process's memory and any
   * queue pair may use it.
   */
  int directRights() {
    return directRights;
  }

  /** True when this key itself allows an access; the keys that it names may still refuse. */
  boolean allows(long address, long bytes, int accessPd, int user, int needed) {
    return (pd == accessPd || pd == ANY_DOMAIN)
        && serves(user)
        && (rights & needed) == needed
        && contains(address, bytes);
  }

  /** True when peers may end the key by SEND with invalidate. */
  boolean mayBeInvalidated() {
    return isSet(Mkc.EN_RINVAL);
  }

  /** Ends the key: it grants nothing any more, and is free as QUERY_MKEY reports it. */
  void invalidate() {
    Mkc.FREE.set(context, 0, 1);
    rights = 0;
    directRights = 0;
  }

  public boolean isFree() {
    return isSet(Mkc.FREE);
  }

  /** True when a UMR may change the key. */
  public boolean isChangeable() {
    return isSet(Mkc.UMR_EN);
  }

  /** True for an indirect key, which names other keys. */
  public boolean isIndirect() {
    return indirection != null;
  }

  /** True when all entries are of one length. */
  public boolean isOfPages() {
    return Mkc.ACCESS_MODE_1_0.get(context, 0) == Mkc.ACCESS_MODE_KSM;
  }

  /** True when only one queue pair may use the key. */
  public boolean isOwned() {
    return qpn != Mkc.ANY_QPN;
  }

  /** The most entries that the translation of an indirect key may have. */
  public int capacity() {
    return entries().capacity();
  }

  /** The entries of an indirect key. */
  Indirection entries() {
    if (indirection == null) {
      throw new IllegalStateException(
          "memory key 0x%x names memory, not other keys".formatted(key));
    }
    return indirection;
  }

  /** log_page_size of the context. */
  int logPageSize() {
    return (int) Mkc.LOG_PAGE_SIZE.get(context, 0);
  }

  /** Bytes of memory behind the key, which may be more than its length. */
  long extent() {
    return extent;
  }

  /** The last change of the key. */
  public KeyChange lastChange() {
    return lastChange;
  }

  // ---- changes by UMR

  /** Notes that a fetched UMR of a send queue will change the key. */
  public void announce(int byQpn, int wqeIndex) {
    changerQpn = byQpn;
    changerIndex = wqeIndex;
  }

  /** Notes that the UMR was executed, or never will be. */
  public void withdraw() {
    changerQpn = Mkc.ANY_QPN;
  }

  /**
   * The queue pair whose fetched UMR will change the key; {@link Mkc#ANY_QPN} when there is none.
   */
  int changerQpn() {
    return changerQpn;
  }

  /** Index of that UMR. */
  int changerIndex() {
    return changerIndex;
  }

  /**
   * Copies the selected fields of another context.
   *
   * @param change selects the fields and locates the other context
   */
  void take(KeyUpdate change) {
    change.copyTo(context);
    key = key & ~0xff | (int) Mkc.MKEY_7_0.get(context, 0);
    if (change.hasStart()) {
      start = Mkc.START_ADDR.get(context, 0);
    }
    usedNothing = false;
    refresh();
  }

  /** True for the first call after each change of the key. */
  boolean isFirstUseOfNothing() {
    boolean first = !usedNothing;
    usedNothing = true;
    return first;
  }

  public long start() {
    return start;
  }

  public long length() {
    return length;
  }

  /** The memory behind it; null for an indirect key. */
  public @Nullable Umem umem() {
    return umem;
  }

  /** The current context, not copied. */
  public byte[] context() {
    return context;
  }

  /**
   * True when the whole range lies inside; correct for any 64-bit values, even if the range wraps
   * around.
   */
  boolean contains(long address, long bytes) {
    long offset = address - start;
    return offset >= 0 && bytes <= length && offset <= length - bytes;
  }

  /**
   * The device's address of an address that {@link #contains} accepted and {@link #directRights}
   * granted.
   */
  long direct(long address) {
    return base + (address - start);
  }

  /**
   * Adds the memory of a range that {@link #contains} accepted to a list; returns false when a key
   * that this one names refuses.
   */
  boolean translate(long address, int bytes, Walk walk, SegmentList out) {
    Indirection entries = indirection;
    return entries != null
        ? entries.translate(address - start, bytes, key, walk, out)
        : translation.translate(address - start, bytes, key, walk, out);
  }
}
