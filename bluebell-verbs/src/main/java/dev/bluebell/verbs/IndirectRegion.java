package dev.bluebell.verbs;

/**
 * A region made of pieces of others, which requests and peers name as one, from address 0: a list,
 * or pieces that come in turns. A request gives it its layout, see {@link KeyOperations}; another
 * one may follow at any time. Mirrors {@code mlx5dv.h: mlx5dv_mkey}.
 *
 * <p>It belongs to the thread that posts its layouts; allocating and closing are thread-safe.
 */
public final class IndirectRegion implements AutoCloseable {
  /** What the largest request holds: 63 units less its 8 fixed ones, in multiples of 4. */
  static final int MAX_PIECES = 52;

  private final ProtectionDomain domain;
  private final int entries;
  private final KeyObject key;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();
  private long length;

  IndirectRegion(ProtectionDomain domain, int entries) {
    this.domain = domain;
    this.entries = entries;
    key = KeyObject.create(domain, entries, false);
    teardown.add(key::close);
    lifetime = new Lifetime("indirect region with lkey 0x%08x".formatted(lkey()));
  }

  /** Says that the region uses its domain. */
  IndirectRegion useDomain() {
    try {
      domain.lifetime().addUser(this);
    } catch (IllegalStateException e) {
      close();
      throw e;
    }
    return this;
  }

  /** Key for gather and scatter entries of the local device, whose addresses begin at 0. */
  public int lkey() {
    return key.key(0);
  }

  /** Key for peers. */
  public int rkey() {
    return lkey();
  }

  /** Bytes of the layout that was posted last; 0 before. */
  public long length() {
    return length;
  }

  /** What a peer needs to name this memory in its requests. */
  public RemoteMemory remote() {
    return new RemoteMemory(0, rkey(), length);
  }

  /** Entries of 16 bytes that a layout may have. */
  int entries() {
    return entries;
  }

  void setLength(long bytes) {
    length = bytes;
  }

  /** Checks that requests of a queue pair of a domain may change it. */
  void requireUsable(ProtectionDomain users) {
    lifetime.requireOpen();
    if (users != domain) {
      throw new IllegalArgumentException(
          "%s belongs to %s and the queue pair to %s: use one domain for both"
              .formatted(this, domain, users));
    }
  }

  /** Ends the region; later requests that name its keys fail. Idempotent. */
  @Override
  public synchronized void close() {
    if (lifetime.close(teardown)) {
      domain.lifetime().removeUser(this);
      domain.device().remove(this);
    }
  }

  @Override
  public String toString() {
    return lifetime.name();
  }
}
