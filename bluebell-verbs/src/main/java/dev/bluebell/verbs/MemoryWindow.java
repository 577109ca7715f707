package dev.bluebell.verbs;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;

/**
 * A key to a part of a region that is given to peers for a while, and taken back by a request: no
 * call to the kernel, no registration. It is bound and invalidated through a queue pair's {@link
 * KeyOperations}. Each bind hands out another key, so that an earlier one opens nothing. Mirrors
 * {@code verbs.h: ibv_mw}. Of type 2 it is 2B, see {@link WindowType}.
 *
 * <p>It belongs to the thread that posts to the queue pair; allocating and closing are thread-safe.
 * What it knows is what was posted: after a request failed, {@link #refresh} asks the device.
 */
public final class MemoryWindow implements AutoCloseable {
  private static final int ENTRIES = 1;
  private static final int NOBODY = -1;

  private final ProtectionDomain domain;
  private final WindowType type;
  private final KeyObject key;
  private final Lifetime lifetime;
  private final Teardown teardown = new Teardown();
  private int tag;
  private boolean bound;
  private int owner = NOBODY;
  private long address;
  private long length;

  MemoryWindow(ProtectionDomain domain, WindowType type) {
    this.domain = domain;
    this.type = type;
    key = KeyObject.create(domain, ENTRIES, type == WindowType.TYPE_2);
    teardown.add(key::close);
    lifetime = new Lifetime("memory window 0x%x".formatted(key.key(0) >>> 8));
  }

  /** Says that the window uses its domain. */
  MemoryWindow useDomain() {
    try {
      domain.lifetime().addUser(this);
    } catch (IllegalStateException e) {
      close();
      throw e;
    }
    return this;
  }

  public WindowType type() {
    return type;
  }

  /** True when a bind was posted, and no end of it since. */
  public boolean isBound() {
    return bound;
  }

  /**
   * The key of the last bind, for peers.
   *
   * @throws IllegalStateException when the window is not bound
   */
  public int rkey() {
    requireBound();
    return currentKey();
  }

  /**
   * What a peer needs to name the memory of the last bind.
   *
   * @throws IllegalStateException when the window is not bound
   */
  public RemoteMemory remote() {
    return new RemoteMemory(address, rkey(), length);
  }

  /**
   * Takes note that a peer ended the binding by SEND with invalidate, as a receive completion told.
   *
   * @param rkey {@link Completion#invalidatedRkey()}
   * @throws IllegalArgumentException when that is not the key of the last bind
   */
  public void invalidatedByPeer(int rkey) {
    if (!bound || rkey != currentKey()) {
      throw new IllegalArgumentException(
          "the peer invalidated key 0x%08x, and %s has 0x%08x%s: give each window what was sent for it"
              .formatted(rkey, this, currentKey(), bound ? "" : ", which is not bound"));
    }
    unbind();
  }

  /**
   * Asks the device what the window is. Call it after a request that binds or invalidates it
   * failed, or was flushed.
   */
  public void refresh() {
    lifetime.requireOpen();
    View context = key.query();
    bound = !context.isSet(Mkc.FREE);
    owner = bound && type == WindowType.TYPE_2 ? context.getInt(Mkc.QPN) : NOBODY;
    if (bound) {
      tag = context.getInt(Mkc.MKEY_7_0);
      address = context.get(Mkc.START_ADDR);
      length = context.get(Mkc.LEN);
    }
  }

  private void requireBound() {
    if (!bound) {
      throw new IllegalStateException(this + " is not bound: bind it with KeyOperations.bind");
    }
  }

  // ---- for the requests that change it

  /** Key of the last bind, or the first one. */
  int currentKey() {
    return key.key(tag);
  }

  /** Key of the next bind. */
  int nextKey() {
    return key.key(tag + 1);
  }

  /** Checks that it may be bound through a queue pair of a domain. */
  void requireBindable(ProtectionDomain users) {
    requireDomain(users);
    if (bound && type == WindowType.TYPE_2) {
      throw new IllegalStateException(
          this + " is bound: a window of type 2 must be invalidated before it is bound again");
    }
  }

  /** Checks that its binding may be ended through a queue pair. */
  void requireEndable(ProtectionDomain users, int qpn) {
    requireDomain(users);
    requireBound();
    if (type == WindowType.TYPE_2 && owner != qpn) {
      throw new IllegalStateException(
          "%s was bound through QP 0x%x, which alone can invalidate it, not QP 0x%x"
              .formatted(this, owner, qpn));
    }
  }

  private void requireDomain(ProtectionDomain users) {
    lifetime.requireOpen();
    if (users != domain) {
      throw new IllegalArgumentException(
          "%s belongs to %s and the queue pair to %s: use one domain for both"
              .formatted(this, domain, users));
    }
  }

  /** A bind was posted. */
  void bind(int qpn, long from, long bytes) {
    tag = tag + 1 & 0xff;
    bound = true;
    owner = type == WindowType.TYPE_2 ? qpn : NOBODY;
    address = from;
    length = bytes;
  }

  /** The end of the binding was posted. */
  void unbind() {
    if (type == WindowType.TYPE_1) {
      tag = tag + 1 & 0xff;
    }
    bound = false;
    owner = NOBODY;
  }

  /** Frees the window; a binding ends with it. Idempotent. */
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
