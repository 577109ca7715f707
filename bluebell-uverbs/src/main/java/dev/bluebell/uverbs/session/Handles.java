package dev.bluebell.uverbs.session;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.QuotaExceeded;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The objects of one context by their handles. For one thread. */
public final class Handles {
  private final Account account;
  private final TreeMap<Integer, Entry> objects = new TreeMap<>();
  private int next = 1;

  /**
   * @param account of the client
   */
  Handles(Account account) {
    this.account = account;
  }

  /** An object and its quota hold. */
  private record Entry(Held object, Account.Hold room) {}

  /** An object that a handle names. */
  public interface Held {

    /**
     * Objects of a lower rank are destroyed first when the client ends. The rank of an object of
     * the device is the ordinal of its {@link ObjectKind}.
     */
    int rank();

    /**
     * Destroys the object.
     *
     * @param alive whether the client still lives
     */
    void destroy(boolean alive) throws IOException;
  }

  /** An object with a handle that is one object of the device. */
  public interface OnDevice extends Held {
    HcaObject object();

    /** Names the object, for example {@code QP 0x40}. */
    default String describe() {
      return "%s 0x%x".formatted(name(getClass()), object().number());
    }
  }

  /** Gives an object a handle; destroys the object when there are too many. */
  public int add(Held object) throws IOException {
    Account.Hold room;
    try {
      room = takeRoom();
    } catch (QuotaExceeded exceeded) {
      object.destroy(true);
      throw Refusal.of(exceeded);
    }
    return add(object, room);
  }

  /** Takes room for an object before the client gets something that can't be taken back. */
  public Account.Hold takeRoom() throws QuotaExceeded {
    return account.take(Quota.OBJECTS);
  }

  /** Gives an object a handle in room that was taken before. */
  public int add(Held object, Account.Hold room) {
    while (objects.containsKey(next)) {
      next = next + 1 & Integer.MAX_VALUE;
    }
    objects.put(next, new Entry(object, room));
    return next++;
  }

  /** Makes a handle refer to another object. */
  public void replace(int handle, Held object) {
    objects.computeIfPresent(handle, (same, old) -> new Entry(object, old.room()));
  }

  /** The object of a kind that a call names. */
  public <T extends Held> T find(Class<T> kind, int handle) {
    @Nullable Entry found = objects.get(handle);
    if (found == null) {
      throw new Refusal(Errno.ENOENT, "handle %d does not exist".formatted(handle));
    }
    Held held = found.object();
    Refusal.require(
        kind.isInstance(held), Errno.EINVAL, "handle %d does not name a %s", handle, name(kind));
    return kind.cast(held);
  }

  /** True when a handle names an object of a kind. */
  public boolean names(Class<? extends Held> kind, int handle) {
    @Nullable Entry found = objects.get(handle);
    return found != null && kind.isInstance(found.object());
  }

  /** Names the object of the device that has a handle; empty when no such object has it. */
  public String describe(int handle) {
    @Nullable Entry found = objects.get(handle);
    return found != null && found.object() instanceof OnDevice one ? one.describe() : "";
  }

  // Cq is a CQ.
  private static String name(Class<?> kind) {
    String name = kind.getSimpleName();
    return name.length() <= 3 ? name.toUpperCase(Locale.ROOT) : name;
  }

  /** Destroys the object of a kind that a call names; keeps it when that is refused. */
  public <T extends Held> T destroy(Class<T> kind, int handle) throws IOException {
    T object = find(kind, handle);
    object.destroy(true);
    @Nullable Entry gone = objects.remove(handle);
    if (gone != null) {
      gone.room().close();
    }
    return object;
  }

  /**
   * Destroys everything, after the client has ended.
   *
   * @param failures gets the objects that could not be destroyed, and why
   * @return whether everything was destroyed
   */
  boolean destroyAll(BiConsumer<Held, Throwable> failures) {
    boolean all = true;
    List<Entry> ordered = new ArrayList<>(objects.values());
    ordered.sort(Comparator.comparingInt(entry -> entry.object().rank()));
    for (Entry entry : ordered) {
      try {
        entry.object().destroy(false);
        entry.room().close();
      } catch (IOException | RuntimeException | Error e) {
        failures.accept(entry.object(), e);
        all = false;
      }
    }
    objects.clear();
    return all;
  }

  /** Destroys objects of a kind that the client can no longer name. */
  public <T extends Held> void forget(Class<T> kind, Predicate<T> gone) throws IOException {
    for (Iterator<Entry> held = objects.values().iterator(); held.hasNext(); ) {
      Entry entry = held.next();
      Held object = entry.object();
      if (kind.isInstance(object) && gone.test(kind.cast(object))) {
        held.remove();
        object.destroy(true);
        entry.room().close();
      }
    }
  }

  public <T extends Held> List<T> all(Class<T> kind) {
    return objects.values().stream()
        .map(Entry::object)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }
}
