package dev.bluebell.softnic.translation;

import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.View;

/**
 * A memory key: which addresses it grants, to whom, and, by its {@link Translation}, where they
 * are. Mirrors the context {@link Mkc}.
 */
public final class MemoryKey {
  public static final int LOCAL_READ = 1;
  public static final int LOCAL_WRITE = 2;
  public static final int REMOTE_READ = 4;
  public static final int REMOTE_WRITE = 8;
  public static final int REMOTE_ATOMIC = 16;

  private final int key;
  private final int pd;
  private final int qpn;
  private final long start;
  private final long length;
  private final Umem umem;
  private final byte[] context;
  private Translation translation;
  private int rights;

  // What the fast path needs: the rights that it may grant, and where offset 0 is.
  private int directRights;
  private final long base;

  /**
   * @param key index and tag
   * @param context the mkey context, 64 bytes, kept for QUERY_MKEY
   * @param umemOffset where in the umem the first byte lies; {@code [umemOffset, umemOffset + len)}
   *     was checked to lie inside
   * @param start the address by which work requests name the first byte
   */
  public MemoryKey(int key, byte[] context, Umem umem, long umemOffset, long start) {
    View mkc = View.over(context);
    this.key = key;
    this.context = context;
    this.umem = umem;
    pd = mkc.getInt(Mkc.PD);
    qpn = mkc.getInt(Mkc.QPN);
    rights =
        (mkc.isSet(Mkc.LR) ? LOCAL_READ : 0)
            | (mkc.isSet(Mkc.LW) ? LOCAL_WRITE : 0)
            | (mkc.isSet(Mkc.RR) ? REMOTE_READ : 0)
            | (mkc.isSet(Mkc.RW) ? REMOTE_WRITE : 0)
            | (mkc.isSet(Mkc.A) ? REMOTE_ATOMIC : 0);
    this.start = start;
    length = mkc.get(Mkc.LEN);
    translation = umem.translation(umemOffset);
    base = translation.direct();
    directRights = translation.isDirect() && qpn == Mkc.ANY_QPN ? rights : 0;
  }

  /**
   * Lets a memory stand before what the key names. Atomics reach what is behind it, as they are
   * atomic against the host's processors too.
   */
  void reorder(ReorderedMemory memory) {
    boolean relaxed = View.over(context).isSet(Mkc.RELAXED_ORDERING_WRITE);
    translation =
        new Translation.Foreign(memory.around(translation, relaxed), translation.direct());
    directRights &= REMOTE_ATOMIC;
  }

  public int key() {
    return key;
  }

  public int pd() {
    return pd;
  }

  /** The one queue pair that may use the key; {@link Mkc#ANY_QPN} when any may. */
  int qpn() {
    return qpn;
  }

  /** True when a queue pair may use the key. */
  boolean serves(int user) {
    return qpn == Mkc.ANY_QPN || qpn == user;
  }

  /** What the key grants; 0 when it was invalidated. */
  public int rights() {
    return rights;
  }

  /**
   * What the key grants any queue pair on memory of this process in one piece: nothing when it
   * names other memory, or is one queue pair's.
   */
  int directRights() {
    return directRights;
  }

  /** True when peers may end the key by SEND with invalidate. */
  boolean mayBeInvalidated() {
    return View.over(context).isSet(Mkc.EN_RINVAL);
  }

  /** Ends the key: it grants nothing any more, and is free as QUERY_MKEY reports it. */
  void invalidate() {
    rights = 0;
    directRights = 0;
    View.over(context).set(Mkc.FREE, true);
  }

  boolean isFree() {
    return View.over(context).isSet(Mkc.FREE);
  }

  public long start() {
    return start;
  }

  public long length() {
    return length;
  }

  public Umem umem() {
    return umem;
  }

  /** The context as it was created, not copied. */
  public byte[] context() {
    return context;
  }

  /**
   * True when the whole range lies inside; correct for any 64-bit values, also those that wrap
   * around.
   */
  boolean contains(long address, long bytes) {
    long offset = address - start;
    return offset >= 0 && bytes <= length && offset <= length - bytes;
  }

  /** Where an address is that {@link #contains} accepted, when {@link #directRights} granted it. */
  long direct(long address) {
    return base + (address - start);
  }

  /** Adds the memory of a range that {@link #contains} accepted to a list. */
  void translate(long address, int bytes, SegmentList out) {
    translation.translate(address - start, bytes, key, out);
  }
}
