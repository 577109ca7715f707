package dev.bluebell.verbs.memory;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.WindowType;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Teardown;
import java.util.List;

/** Implements {@link MemoryWindow}. */
public final class MemoryWindowImpl extends DeviceObject implements MemoryWindow {
  private static final int ENTRIES = 1;
  private static final int NOBODY = -1;
  private final Domain domain;
  private final WindowType type;
  private final KeyObject key;
  private int tag;
  private boolean bound;
  private int owner = NOBODY;
  private long address;
  private long length;

  private MemoryWindowImpl(Domain domain, WindowType type) {
    super(domain.device(), new Teardown(), List.of(domain.lifetime()));
    this.domain = domain;
    this.type = type;
    key = KeyObject.create(domain, ENTRIES, type == WindowType.TYPE_2);
    teardown.add(key::close);
  }

  /** Allocates a window in a domain. */
  public static MemoryWindowImpl allocate(Domain domain, WindowType type) {
    domain.lifetime().requireOpen();
    return create(domain.device(), () -> new MemoryWindowImpl(domain, type));
  }

  @Override
  public WindowType type() {
    return type;
  }

  @Override
  public boolean isBound() {
    return bound;
  }

  @Override
  public int rkey() {
    requireBound();
    return currentKey();
  }

  @Override
  public RemoteMemory remote() {
    return new RemoteMemory(address, rkey(), length);
  }

  @Override
  public void invalidatedByPeer(int rkey) {
    if (!bound || rkey != currentKey()) {
      throw new IllegalArgumentException(
          "the peer invalidated key 0x%08x, but %s has 0x%08x%s: pass the key to the window that has it"
              .formatted(rkey, this, currentKey(), bound ? "" : ", which is not bound"));
    }
    unbind();
  }

  @Override
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
  public int nextKey() {
    return key.key(tag + 1);
  }

  /** Checks that it may be bound through a queue pair of a domain. */
  public void requireBindable(Domain users) {
    domain.requireUser(this, users, "queue pair");
    if (bound && type == WindowType.TYPE_2) {
      throw new IllegalStateException(
          this + " is bound: a window of type 2 must be invalidated before it is bound again");
    }
  }

  /** Checks that a queue pair may invalidate it. */
  public void requireEndable(Domain users, int qpn) {
    domain.requireUser(this, users, "queue pair");
    requireBound();
    if (type == WindowType.TYPE_2 && owner != qpn) {
      throw new IllegalStateException(
          "%s was bound through QP 0x%x: only that queue pair can invalidate it, not QP 0x%x"
              .formatted(this, owner, qpn));
    }
  }

  /** Records that a bind was posted. */
  public void bind(int qpn, long from, long bytes) {
    tag = tag + 1 & 0xff;
    bound = true;
    owner = type == WindowType.TYPE_2 ? qpn : NOBODY;
    address = from;
    length = bytes;
  }

  /** Records that an invalidation was posted. */
  public void unbind() {
    if (type == WindowType.TYPE_1) {
      tag = tag + 1 & 0xff;
    }
    bound = false;
    owner = NOBODY;
  }

  @Override
  public String toString() {
    return "memory window 0x%x".formatted(key.key(0) >>> 8);
  }
}
