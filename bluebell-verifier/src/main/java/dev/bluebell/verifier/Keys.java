package dev.bluebell.verifier;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resolves the keys of an image: to memory, directly or through keys that UMRs change. */
final class Keys {
  /** Maximum length of a chain of keys. */
  private static final int MOST_KEYS = 4;

  private static final int MOST_STRETCHES = 1 << 16;

  /** Contents of keys that UMRs change, when they are used. */
  interface Use {
    /** The contents of a key. */
    byte[] of(Region key);
  }

  private final ProgramImage image;
  private final Layout layout;

  Keys(ProgramImage image, Layout layout) {
    this.image = image;
    this.layout = layout;
  }

  /** True when every key resolves to the same memory at all times. */
  boolean areFixed() {
    return image.regions().stream().noneMatch(each -> each.owner() == Region.Owner.KEY);
  }

  /** The key that a UMR names. */
  Region changed(int key) {
    return layout
        .key(key)
        .orElseThrow(
            () -> new IllegalRequest("names key 0x%x, which is not a key that UMRs change", key));
  }

  /**
   * The memory that a data segment names.
   *
   * @param right the right that the access needs; null for reading
   */
  List<Stretch> local(int lkey, @Nullable Right right, long address, int length, Use use) {
    Walk walk = new Walk(use);
    walk.follow(lkey, right, address, length, MOST_KEYS);
    return walk.found;
  }

  /** The memory of an owner that the remote address segment of a request names. */
  List<Stretch> remote(Region.Owner owner, Request request, int length, Use use) {
    int rkey = request.rkey();
    if (owner == Region.Owner.PROGRAM && image.regionOfRkey(owner, rkey).isEmpty()) {
      Optional<Region> key = layout.key(rkey);
      if (key.isPresent()) {
        Walk walk = new Walk(use);
        walk.through(key.get(), rkey, request.right(), request.remoteAddress(), length, MOST_KEYS);
        return walk.found;
      }
    }
    Region region = layout.remote(owner, request);
    return List.of(new Stretch(layout.place(region, request.remoteAddress(), length), length));
  }

  /** Follows keys to memory, and collects it. */
  private final class Walk {
    private final Use use;
    private final List<Stretch> found = new ArrayList<>();

    Walk(Use use) {
      this.use = use;
    }

    void follow(int lkey, @Nullable Right right, long address, int length, int left) {
      Optional<Region> key =
          image.regionOfLkey(lkey).isEmpty() ? layout.key(lkey) : Optional.<Region>empty();
      if (key.isPresent()) {
        through(key.get(), lkey, right, address, length, left);
      } else {
        Region region = right == null ? layout.source(lkey) : layout.sink(lkey);
        add(layout.place(region, address, length), length);
      }
    }

    void through(Region key, int named, @Nullable Right right, long address, int length, int left) {
      if (left == 0) {
        throw new IllegalRequest("goes through more than %d keys", MOST_KEYS);
      }
      // The memory of such a key is the device's own, so it is read or written locally.
      Right behind = right == null || !right.changes() ? null : Right.LOCAL_WRITE;
      new KeyContents(use.of(key))
          .follow(
              named,
              right,
              address,
              length,
              (next, from, bytes) -> follow(next, behind, from, bytes, left - 1));
    }

    private void add(int place, int length) {
      Stretch last = found.isEmpty() ? null : found.getLast();
      if (last != null && last.place() + last.length() == place) {
        found.set(found.size() - 1, new Stretch(last.place(), last.length() + length));
        return;
      }
      if (found.size() == MOST_STRETCHES) {
        throw new IllegalRequest("names memory in more than %d pieces", MOST_STRETCHES);
      }
      found.add(new Stretch(place, length));
    }
  }
}
