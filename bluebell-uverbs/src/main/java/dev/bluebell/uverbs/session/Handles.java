package dev.bluebell.uverbs.session;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The objects of one context by their handles. For one thread. */
public final class Handles {
  private static final int MAX_OBJECTS = 1 << 20;

  private final TreeMap<Integer, Held> objects = new TreeMap<>();
  private int next = 1;

  /** An object that a handle names. */
  public interface Held {

    /**
     * Objects of a lower rank are destroyed first when the program ends. The rank of an object of
     * the device is the ordinal of its {@link ObjectKind}.
     */
    int rank();

    /**
     * Destroys the object.
     *
     * @param alive whether the program is still there
     */
    void destroy(boolean alive) throws IOException;
  }

  /** An object that a handle names and that is one object of the device. */
  public interface OnDevice extends Held {
    HcaObject object();
  }

  /** Takes an object and gives it a handle; destroys it when there are too many. */
  public int add(Held object) throws IOException {
    if (objects.size() >= MAX_OBJECTS) {
      object.destroy(true);
      throw new Refusal(Errno.ENOMEM, "the program already has %d objects".formatted(MAX_OBJECTS));
    }
    while (objects.containsKey(next)) {
      next = next + 1 & Integer.MAX_VALUE;
    }
    objects.put(next, object);
    return next++;
  }

  /** Lets a handle name another object. */
  public void replace(int handle, Held object) {
    objects.replace(handle, object);
  }

  /** The object of a kind that a call names. */
  public <T extends Held> T find(Class<T> kind, int handle) {
    @Nullable Held held = objects.get(handle);
    if (held == null) {
      throw new Refusal(Errno.ENOENT, "handle %d names nothing".formatted(handle));
    }
    Refusal.require(
        kind.isInstance(held), Errno.EINVAL, "handle %d does not name a %s", handle, name(kind));
    return kind.cast(held);
  }

  /** True when a handle names an object of a kind. */
  public boolean names(Class<? extends Held> kind, int handle) {
    return kind.isInstance(objects.get(handle));
  }

  // Cq is a CQ.
  private static String name(Class<?> kind) {
    String name = kind.getSimpleName();
    return name.length() <= 3 ? name.toUpperCase(Locale.ROOT) : name;
  }

  /** Destroys the object of a kind that a call names; it stays when that is refused. */
  public <T extends Held> T destroy(Class<T> kind, int handle) throws IOException {
    T object = find(kind, handle);
    object.destroy(true);
    objects.remove(handle);
    return object;
  }

  /**
   * Destroys everything, after the program has ended.
   *
   * @return whether nothing stayed
   */
  boolean destroyAll(FailureListener failures) {
    boolean all = true;
    List<Held> ordered = new ArrayList<>(objects.values());
    ordered.sort(Comparator.comparingInt(Held::rank));
    for (Held object : ordered) {
      try {
        object.destroy(false);
      } catch (IOException | RuntimeException e) {
        failures.failed(object, e);
        all = false;
      }
    }
    objects.clear();
    return all;
  }

  /** Hears of objects that could not be destroyed. */
  public interface FailureListener {
    void failed(Held object, Exception why);
  }

  /** Destroys objects of a kind that the program can't name any more. */
  public <T extends Held> void forget(Class<T> kind, Predicate<T> gone) throws IOException {
    for (Iterator<Held> held = objects.values().iterator(); held.hasNext(); ) {
      Held object = held.next();
      if (kind.isInstance(object) && gone.test(kind.cast(object))) {
        held.remove();
        object.destroy(true);
      }
    }
  }

  /** All objects of a kind. */
  public <T extends Held> List<T> all(Class<T> kind) {
    return objects.values().stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
