package dev.bluebell.verbs.memory;

import dev.bluebell.verbs.BindEnd;
import dev.bluebell.verbs.FencedEnd;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.InterleavedLayout;
import dev.bluebell.verbs.InterleavedPieces;
import dev.bluebell.verbs.KeyOperations;
import dev.bluebell.verbs.ListLayout;
import dev.bluebell.verbs.ListPieces;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.WindowRights;
import dev.bluebell.verbs.WindowType;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.ring.KeyRequest;
import dev.bluebell.verbs.ring.SendRing;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks the memory key changes that a queue pair posts, and updates the state of the windows and
 * regions. One object is reused for all requests.
 */
public final class KeyQueue implements KeyOperations {
  private final Domain domain;
  private final SendRing send;
  private final KeyRequest request;
  private final Bind bind = new Bind();
  private final Change change = new Change();

  // The objects that the current request changes.
  private @Nullable MemoryWindowImpl bound;
  private @Nullable MemoryWindowImpl ended;
  private @Nullable IndirectRegionImpl laidOut;
  private boolean hasPieces;
  private int turns;
  private long start;

  public KeyQueue(Domain domain, SendRing send) {
    this.domain = domain;
    this.send = send;
    request = new KeyRequest(send);
  }

  private void forget() {
    bound = null;
    ended = null;
    laidOut = null;
    hasPieces = false;
    turns = 0;
  }

  // ---- windows

  @Override
  public BindEnd bind(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights) {
    return bind(
        (MemoryWindowImpl) window,
        (MemoryRegionImpl) region,
        offset,
        length,
        rights,
        region.address() + offset);
  }

  @Override
  public BindEnd bindZeroBased(
      MemoryWindow window, MemoryRegion region, long offset, long length, WindowRights rights) {
    return bind((MemoryWindowImpl) window, (MemoryRegionImpl) region, offset, length, rights, 0);
  }

  private BindEnd bind(
      MemoryWindowImpl window,
      MemoryRegionImpl region,
      long offset,
      long length,
      WindowRights rights,
      long from) {
    window.requireBindable(domain);
    requireRange(region, offset, length, rights);
    KeyRequest started =
        request.bind(
            window.currentKey(),
            window.nextKey(),
            window.type() == WindowType.TYPE_2,
            rights.bits(),
            from);
    forget();
    start = from;
    bound = window;
    started.piece(region.address() + offset, length, region.lkey());
    return bind;
  }

  private void requireRange(
      MemoryRegionImpl region, long offset, long length, WindowRights rights) {
    Objects.checkFromIndexSize(offset, length, region.length());
    region.requireIn(domain);
    if (rights.changesMemory() && !region.isWritable()) {
      throw new IllegalArgumentException(
          region
              + " was registered without LOCAL_WRITE, which a window with write or atomic rights"
              + " needs");
    }
  }

  @Override
  public FencedEnd invalidate(MemoryWindow memoryWindow) {
    MemoryWindowImpl window = (MemoryWindowImpl) memoryWindow;
    window.requireEndable(domain, send.qpn());
    if (window.type() == WindowType.TYPE_2) {
      request.invalidate(window.currentKey());
    } else {
      request.unbind(window.currentKey(), window.nextKey(), false);
    }
    forget();
    ended = window;
    return change;
  }

  // ---- layouts

  @Override
  public ListLayout layoutList(IndirectRegion region, WindowRights rights) {
    return configure(region, rights);
  }

  @Override
  public InterleavedLayout layoutInterleaved(
      IndirectRegion region, int count, WindowRights rights) {
    Change layout = configure(region, rights);
    request.repeat(count);
    turns = count;
    return layout;
  }

  @Override
  public FencedEnd changeRights(IndirectRegion region, WindowRights rights) {
    return configure(region, rights);
  }

  private Change configure(IndirectRegion indirect, WindowRights rights) {
    IndirectRegionImpl region = (IndirectRegionImpl) indirect;
    region.requireUsable(domain);
    request.configure(region.lkey(), true, rights.bits());
    forget();
    laidOut = region;
    return change;
  }

  private void requirePiece(long offset, long length, long all) {
    if (offset < 0 || length < 0 || offset > all - length) {
      send.dropUnfinished();
      Objects.checkFromIndexSize(offset, length, all);
    }
  }

  private void requireRoom() {
    IndirectRegionImpl region = laidOut;
    if (region != null && request.entries() == region.entries()) {
      send.dropUnfinished();
      throw new IllegalArgumentException(
          "%s has room for %d pieces (the head of an interleaved layout counts as one): allocate it with more"
              .formatted(region, region.entries()));
    }
  }

  /**
   * Updates the changed objects as if the request had executed; returns the key of the bound
   * window, or 0.
   */
  private int note() {
    if (bound != null) {
      bound.bind(send.qpn(), start, request.length());
      return bound.rkey();
    }
    if (ended != null) {
      ended.unbind();
    }
    if (laidOut != null && hasPieces) {
      laidOut.setLength(request.length());
    }
    return 0;
  }

  // ---- the stages

  /** The end of a bind. */
  private final class Bind implements BindEnd {
    @Override
    public BindEnd fence() {
      request.fence();
      return this;
    }

    @Override
    public int signaled(long id) {
      request.signaled(id);
      return note();
    }

    @Override
    public int unsignaled(long id) {
      request.unsignaled(id);
      return note();
    }
  }

  /** The pieces of a layout, and the end of any other change. */
  private final class Change implements ListPieces, InterleavedPieces {
    @Override
    public ListPieces piece(MemoryRegion region, long offset, long length) {
      requirePiece(offset, length, region.length());
      return piece(region.address() + offset, length, region.lkey());
    }

    @Override
    public ListPieces piece(IndirectRegion region, long offset, long length) {
      requirePiece(offset, length, region.length());
      return piece(offset, length, region.lkey());
    }

    @Override
    public ListPieces piece(long address, long length, int lkey) {
      requireRoom();
      request.piece(address, length, lkey);
      hasPieces = true;
      return this;
    }

    @Override
    public InterleavedPieces piece(MemoryRegion region, long offset, int bytes, int skip) {
      requirePiece(offset, (turns - 1L) * (bytes + (long) skip) + bytes, region.length());
      return piece(region.address() + offset, bytes, skip, region.lkey());
    }

    @Override
    public InterleavedPieces piece(long address, int bytes, int skip, int lkey) {
      requireRoom();
      request.piece(address, bytes, skip, lkey);
      hasPieces = true;
      return this;
    }

    @Override
    public FencedEnd fence() {
      request.fence();
      return this;
    }

    @Override
    public void signaled(long id) {
      request.signaled(id);
      note();
    }

    @Override
    public void unsignaled(long id) {
      request.unsignaled(id);
      note();
    }
  }
}
