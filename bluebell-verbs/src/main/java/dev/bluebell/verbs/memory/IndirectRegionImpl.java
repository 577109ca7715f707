package dev.bluebell.verbs.memory;

import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.RemoteMemory;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Domain;
import dev.bluebell.verbs.object.Teardown;
import java.util.List;

/** Implements {@link IndirectRegion}. */
public final class IndirectRegionImpl extends DeviceObject implements IndirectRegion {
  /**
   * Number of pieces that fit in the largest request: 63 units less its 8 fixed ones, in multiples
   * of 4.
   */
  public static final int MAX_PIECES = 52;

  private final Domain domain;
  private final int entries;
  private final KeyObject key;
  private long length;

  private IndirectRegionImpl(Domain domain, int entries) {
    super(domain.device(), new Teardown(), List.of(domain.lifetime()));
    this.domain = domain;
    this.entries = entries;
    key = KeyObject.create(domain, entries, false);
    teardown.add(key::close);
  }

  /** Allocates an indirect region in a domain. */
  public static IndirectRegionImpl allocate(Domain domain, int pieces) {
    domain.lifetime().requireOpen();
    if (pieces < 1 || pieces > MAX_PIECES) {
      throw new IllegalArgumentException(
          "an indirect region has 1 to %d pieces, not %d".formatted(MAX_PIECES, pieces));
    }
    return create(domain.device(), () -> new IndirectRegionImpl(domain, pieces));
  }

  @Override
  public int lkey() {
    return key.key(0);
  }

  @Override
  public int rkey() {
    return lkey();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public RemoteMemory remote() {
    return new RemoteMemory(0, rkey(), length);
  }

  /** Entries of 16 bytes that a layout may have. */
  public int entries() {
    return entries;
  }

  public void setLength(long bytes) {
    length = bytes;
  }

  /** Checks that queue pairs of a domain may change it. */
  public void requireUsable(Domain users) {
    domain.requireUser(this, users, "queue pair");
  }

  @Override
  public String toString() {
    return "indirect region with lkey 0x%08x".formatted(lkey());
  }
}
