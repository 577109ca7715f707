package dev.bluebell.verbs.object;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.verbs.ClosedException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The lifetime of a control path object: whether it still exists, and which objects use it.
 * Thread-safe.
 */
public final class Lifetime {
  private final Object owner;
  private final Set<Object> users = new LinkedHashSet<>();
  private volatile boolean closed;

  /**
   * @param owner the object; messages name it by its toString
   */
  public Lifetime(Object owner) {
    this.owner = owner;
  }

  public String name() {
    return owner.toString();
  }

  public boolean isClosed() {
    return closed;
  }

  public void requireOpen() {
    if (closed) {
      throw new ClosedException(owner + " is closed");
    }
  }

  /**
   * Checks as {@link #requireOpen} does, but first waits for a close in progress: for threads that
   * it woke.
   */
  public synchronized void requireNotClosing() {
    requireOpen();
  }

  /** Registers an object that must be closed before this one; its toString names it. */
  public synchronized void addUser(Object user) {
    requireOpen();
    users.add(user);
  }

  /** The objects that must be closed before this one. */
  public synchronized List<Object> users() {
    return List.copyOf(users);
  }

  public synchronized void removeUser(Object user) {
    users.remove(user);
  }

  /**
   * Ends the lifetime once.
   *
   * @param teardown the steps that end the object
   * @return false when it had ended before
   * @throws IllegalStateException when others still use the object, which then stays
   */
  public synchronized boolean close(Teardown teardown) {
    if (closed) {
      return false;
    }
    if (!users.isEmpty()) {
      String list = users.stream().map(Object::toString).collect(Collectors.joining(", "));
      throw new IllegalStateException(
          "%s is still used by %s: close what uses it first".formatted(owner, list));
    }
    try {
      teardown.run();
    } catch (HcaException e) {
      if (e.status() == CommandStatus.RES_BUSY) {
        throw new IllegalStateException(
            owner + " is still in use on the device: close what uses it first", e);
      }
      throw e;
    }
    closed = true;
    return true;
  }
}
