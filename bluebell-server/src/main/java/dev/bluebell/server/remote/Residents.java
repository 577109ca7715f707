package dev.bluebell.server.remote;

import dev.bluebell.server.ProgramUid;
import java.io.IOException;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What clients handed over to the device process: it lives until somebody removes it, or the device
 * ends. All residents together have bounds. Thread-safe.
 */
final class Residents {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final Bounds DEFAULT = new Bounds(64, 1 << 16, 1 << 13, 1L << 30);

  private final ProgramShares shares;
  private final Bounds bounds;
  private final TreeMap<String, Resident> residents = new TreeMap<>();

  /**
   * @param shares of which each resident keeps that of its process
   */
  Residents(ProgramShares shares) {
    this(shares, DEFAULT);
  }

  Residents(ProgramShares shares, Bounds bounds) {
    this.shares = shares;
    this.bounds = bounds;
  }

  /**
   * What all residents together may have.
   *
   * @param pieces of shared memory, each of which is a mapping of the device process
   */
  record Bounds(int programs, int objects, int pieces, long bytes) {}

  /** What one client handed over. */
  private record Resident(
      String name, int pid, ProgramUid uid, OwnObjects objects, SharedRegions regions) {

    void end() throws IOException {
      objects.destroyAll();
      regions.giveAllBack();
      uid.close();
    }
  }

  /** Takes over what a client holds, which must not use it any more; or refuses, and takes none. */
  synchronized void add(
      String name, int pid, ProgramUid uid, OwnObjects objects, SharedRegions regions) {
    if (!NAME.matcher(name).matches()) {
      throw Connection.failure(
          "the name of a resident has 1 to 64 letters, digits, dots, dashes or underscores");
    }
    if (residents.containsKey(name)) {
      throw Connection.failure(
          "there is a resident %s; remove it, or take another name".formatted(name));
    }
    if (objects.count() == 0) {
      throw Connection.failure("there is nothing to hand over: the program has no objects");
    }
    require("programs", residents.size(), 1, bounds.programs());
    require("objects", sum(each -> each.objects().count()), objects.count(), bounds.objects());
    require(
        "pieces of memory", sum(each -> each.regions().count()), regions.count(), bounds.pieces());
    require("bytes", sum(each -> each.regions().bytes()), regions.bytes(), bounds.bytes());
    residents.put(name, new Resident(name, pid, uid, objects, regions));
    var unused = shares.join(pid);
  }

  /** A number of a resident. */
  private interface Measure {
    long of(Resident resident);
  }

  private long sum(Measure measure) {
    return residents.values().stream().mapToLong(measure::of).sum();
  }

  private static void require(String what, long present, long more, long most) {
    if (more > most - present) {
      throw Connection.failure(
          "residents may have %d %s in all: they have %d, and %d more are too many"
              .formatted(most, what, present, more));
    }
  }

  /** Destroys a resident. What that waits for, nobody else waits for. */
  void remove(String name) throws IOException {
    Resident resident = take(name);
    try {
      resident.end();
    } finally {
      shares.leave(resident.pid());
    }
  }

  private synchronized Resident take(String name) {
    Resident resident = residents.remove(name);
    if (resident == null) {
      throw Connection.failure(
          "there is no resident of this name; 'bluebell program list --device socket:PATH' has"
              + " all");
    }
    return resident;
  }

  /** Puts all residents into an answer, by name. */
  synchronized Message put(Message answer) {
    answer.put(residents.size());
    for (Resident each : residents.values()) {
      answer
          .put(each.name())
          .put(each.pid())
          .put(each.objects().count())
          .put(each.regions().bytes());
    }
    return answer;
  }
}
