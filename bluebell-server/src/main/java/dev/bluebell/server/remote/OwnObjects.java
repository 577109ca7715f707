package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.View;
import dev.bluebell.server.Account;
import dev.bluebell.server.CommandNames;
import dev.bluebell.server.LimitedLog;
import dev.bluebell.server.Quota;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects that one client holds, by handle. Checks that the client's commands name only these:
 * firmware does so by the uid of a command; this class checks every field that names an object in
 * the command's format. For one thread.
 */
final class OwnObjects implements AutoCloseable {
  private static final LimitedLog LOG = new LimitedLog("dev.bluebell.server");
  private final Account account;
  private final TreeMap<Integer, Held> held = new TreeMap<>();
  private final Map<Long, Held> byNumber = new HashMap<>();
  private Account.@Nullable Hold room;
  private int next = 1;

  OwnObjects(Account account) {
    this.account = account;
  }

  /** Frees an object. */
  interface Ending {
    void end() throws IOException;
  }

  /**
   * An object that has a handle.
   *
   * @param object null if no command created it
   * @param room its place in the client's account
   */
  record Held(
      ObjectKind kind,
      int number,
      @Nullable HcaObject object,
      Ending ending,
      Account.@Nullable Hold room) {

    long key() {
      return OwnObjects.key(kind, number);
    }

    void end() throws IOException {
      ending.end();
      if (room != null) {
        room.close();
      }
    }
  }

  private static long key(ObjectKind kind, int number) {
    return (long) kind.numbering().ordinal() << 32 | number & 0xffffffffL;
  }

  /**
   * Adds an object that no command created.
   *
   * @param close closes it
   * @param then frees what was taken for it
   */
  int add(ObjectKind kind, int number, Runnable close, Ending then) {
    Ending ending =
        () -> {
          close.run();
          then.end();
        };
    return add(new Held(kind, number, null, ending, room));
  }

  int add(ObjectKind kind, HcaObject object) {
    return add(new Held(kind, object.number(), object, object::close, room));
  }

  private int add(Held object) {
    room = null;
    int handle = next++;
    held.put(handle, object);
    byNumber.put(object.key(), object);
    return handle;
  }

  /** The object of a kind with a number, if a command created it. */
  Optional<HcaObject> find(ObjectKind kind, int number) {
    return Optional.ofNullable(byNumber.get(key(kind, number))).map(Held::object);
  }

  /** The numbers of the objects of a kind. */
  List<Integer> numbers(ObjectKind kind) {
    return held.values().stream().filter(each -> each.kind() == kind).map(Held::number).toList();
  }

  /** The client's account, which is charged even after the objects are handed over. */
  Account account() {
    return account;
  }

  /** Number of objects. */
  int count() {
    return held.size();
  }

  /** Reserves quota for the next object; throws when the client has too many. */
  void requireRoom(String what) {
    if (next < 0) {
      throw refusal(
          what, CommandStatus.NO_RES, "the connection had too many objects; open another");
    }
    if (room == null) {
      room = account.take(Quota.OBJECTS);
    }
  }

  private static HcaException refusal(String what, int status, String why) {
    return new HcaException(
        what, View.of(CmdOut.STRUCTURE, 4).set(CmdOut.STATUS, status).bytes(), why);
  }

  private Held find(int handle) {
    Held found = held.get(handle);
    if (found == null) {
      throw new IllegalArgumentException("handle %d does not exist".formatted(handle));
    }
    return found;
  }

  /** An object that a command created. */
  HcaObject object(int handle) {
    HcaObject object = find(handle).object();
    if (object == null) {
      throw new IllegalArgumentException(
          "handle %d is not an object that a command created".formatted(handle));
    }
    return object;
  }

  /**
   * An object that a command created, of a kind that raises events of a type. Otherwise, a client
   * would get events of an object of another kind that has the same number.
   *
   * @param type see {@link HcaEvent}
   */
  HcaObject source(int handle, int type) {
    HcaObject object = object(handle);
    ObjectKind kind = find(handle).kind();
    if (!HcaEvent.typesOf(kind).contains(type)) {
      throw refusal(
          "subscribe",
          CommandStatus.BAD_PARAM,
          "%s 0x%x raises no event of type %s; subscribe with an object of a kind that does"
              .formatted(kind, object.number(), HcaEvent.typeName(type)));
    }
    return object;
  }

  /**
   * Checks that a command creates an object and names only the client's objects; returns its kind.
   */
  ObjectKind checkCreation(byte[] command) {
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    ObjectKind kind =
        ObjectKind.createdBy(opcode)
            .filter(ObjectKind::isMadeByClients)
            .orElseThrow(
                () ->
                    refusal(
                        CommandOpcode.name(opcode),
                        CommandStatus.BAD_OP,
                        "opcode 0x%x creates no object that a client may have on a shared device"
                            .formatted(opcode)));
    checkNames(command);
    return kind;
  }

  /** True when the client holds the object of a kind with a number. */
  boolean has(ObjectKind kind, int number) {
    return byNumber.containsKey(key(kind, number));
  }

  /** Checks that a command names only objects that the client holds. */
  void checkNames(byte[] command) {
    for (CommandNames.Name name : CommandNames.of(command)) {
      if (!has(name.kind(), name.number())) {
        throw refusal(
            CommandOpcode.name(View.over(command).getInt(CmdIn.OPCODE)),
            CommandStatus.BAD_RES,
            "%s 0x%x does not name an object that this process holds"
                .formatted(name.field().name(), name.number()));
      }
    }
  }

  /** Destroys and returns the object with a handle; keeps it when the device refuses. */
  Held destroy(int handle) throws IOException {
    Held object = find(handle);
    object.end();
    held.remove(handle);
    byNumber.remove(object.key());
    return object;
  }

  /**
   * Destroys everything, kind by kind, because a kind uses only later kinds, and within a kind the
   * newest first. Once the queues are gone, no key has outstanding work.
   */
  @Override
  public void close() {
    List<Held> ordered = new ArrayList<>(held.descendingMap().values());
    ordered.sort(Comparator.comparing(Held::kind));
    for (Held object : ordered) {
      try {
        object.end();
      } catch (IOException | RuntimeException | Error e) {
        LOG.log(Level.WARNING, "an object of a client that has ended could not be freed", e);
      }
    }
    held.clear();
    byNumber.clear();
    if (room != null) {
      room.close();
      room = null;
    }
  }
}
