package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.WatchedProcess;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The residents: objects that clients handed over to the device process. A resident lives until its
 * owner, who has the token, removes it, another client removes it by force, or the device ends. The
 * client's account is charged until then. Thread-safe.
 */
final class Residents {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  private static final int MAX_NOTICE = 8192;

  private final ClientShares shares;
  private final TreeMap<String, Resident> residents = new TreeMap<>();
  private final SecureRandom random = new SecureRandom();

  /**
   * @param shares each resident keeps the share of its process
   */
  Residents(ClientShares shares) {
    this.shares = shares;
  }

  /**
   * The objects that one client handed over. Operations that wait for the device lock only this, so
   * queries for other residents, or for the list, never wait for them.
   */
  private record Resident(
      String name, String notice, long token, Holdings holdings, Account.Hold price) {

    WatchedProcess process() {
      return holdings.process();
    }

    /** Destroys everything; threads that waited for the lock meanwhile find no objects. */
    synchronized void end() throws IOException {
      try (price;
          holdings) {}
    }

    synchronized List<String> diagnose() {
      List<String> lines = new ArrayList<>(holdings.diagnosis().explanations());
      lines.addAll(holdings.diagnosis().lines());
      return lines;
    }

    synchronized void join(int qpn, byte[] toRtr, byte[] toRts) {
      OwnObjects objects = holdings.objects();
      HcaObject pair =
          objects
              .find(ObjectKind.QUEUE_PAIR, qpn)
              .orElseThrow(
                  () -> Connection.failure("%s has no queue pair 0x%x".formatted(name, qpn)));
      View first = joining(toRtr, Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP);
      View second = joining(toRts, Rtr2rtsQpIn.STRUCTURE, CommandOpcode.RTR2RTS_QP);
      if (first.getInt(Init2rtrQpIn.QPN) != qpn
          || second.getInt(Rtr2rtsQpIn.QPN) != qpn
          || first.get(Init2rtrQpIn.OPT_PARAM_MASK) != 0
          || second.get(Rtr2rtsQpIn.OPT_PARAM_MASK) != 0) {
        throw Connection.failure(
            "joining a resident connects QP 0x%x, and can't change anything else of it"
                .formatted(qpn));
      }
      objects.checkNames(toRtr);
      objects.checkNames(toRts);
      pair.modify(toRtr);
      pair.modify(toRts);
    }
  }

  /**
   * Takes over all objects of a client, which must not use them any more; or throws, and takes
   * none.
   *
   * @param notice text for later clients
   * @param holdings whose diagnosis traces nothing
   * @return the owner's token, not 0
   */
  synchronized long add(String name, String notice, Holdings holdings) {
    if (!NAME.matcher(name).matches()) {
      throw Connection.failure(
          "the name of a resident has 1 to 64 letters, digits, dots, dashes or underscores");
    }
    if (notice.length() > MAX_NOTICE) {
      throw Connection.failure(
          "a notice has at most %d characters, not %d".formatted(MAX_NOTICE, notice.length()));
    }
    if (residents.containsKey(name)) {
      throw Connection.failure(
          "there is already a resident %s; remove it, or choose another name".formatted(name));
    }
    if (holdings.objects().count() == 0) {
      throw Connection.failure("there is nothing to hand over: this process has no objects");
    }
    Account.Hold price = pay(holdings.objects(), holdings.regions());
    long token = random.nextLong(1, Long.MAX_VALUE);
    residents.put(name, new Resident(name, notice, token, holdings, price));
    var unused = shares.join(holdings.process().identity());
    return token;
  }

  private static Account.Hold pay(OwnObjects objects, SharedRegions regions) {
    return objects
        .account()
        .take(Quota.RESIDENTS)
        .and(Quota.RESIDENT_OBJECTS, objects.count())
        .and(Quota.RESIDENT_PIECES, regions.count())
        .and(Quota.RESIDENT_BYTES, regions.bytes());
  }

  private synchronized Resident find(String name) {
    Resident resident = residents.get(name);
    if (resident == null) {
      throw Connection.failure(
          "there is no resident %s; 'bluebell program list --device socket:PATH' lists all"
              .formatted(name));
    }
    return resident;
  }

  private Resident owned(String name, long token) {
    Resident resident = find(name);
    if (resident.token() != token) {
      throw Connection.failure(
          "%s has another token: the one that process %d received when it handed it over"
              .formatted(name, resident.process().pid()));
    }
    return resident;
  }

  /**
   * Destroys a resident; without its token, {@code force} is needed. Only the caller waits for the
   * device.
   *
   * @return the process that handed it over
   */
  int remove(String name, long token, boolean force) throws IOException {
    Resident resident = take(name, token, force);
    try {
      resident.end();
    } finally {
      shares.leave(resident.process().identity());
    }
    return resident.process().pid();
  }

  private synchronized Resident take(String name, long token, boolean force) {
    Resident resident = force ? find(name) : owned(name, token);
    residents.remove(name);
    return resident;
  }

  /** The owner's notice to later clients. */
  String notice(String name) {
    return find(name).notice();
  }

  /** The device's diagnosis of a resident, for its owner. */
  List<String> diagnose(String name, long token) {
    return owned(name, token).diagnose();
  }

  /**
   * Connects a queue pair of a resident to one of a client. The commands may name only the
   * resident's objects and must have no optional parameters, such as the access rights of the peer.
   */
  void join(String name, int qpn, byte[] toRtr, byte[] toRts) {
    find(name).join(qpn, toRtr, toRts);
  }

  private static View joining(byte[] command, Structure structure, int opcode) {
    if (command.length != structure.bytes() || View.over(command).getInt(CmdIn.OPCODE) != opcode) {
      throw Connection.failure(
          "joining a resident takes the commands INIT2RTR_QP and RTR2RTS_QP, each with its exact"
              + " length");
    }
    return View.over(command);
  }

  /** Puts all residents into an answer, by name. */
  synchronized Message put(Message answer) {
    answer.put(residents.size());
    for (Resident each : residents.values()) {
      answer
          .put(each.name())
          .put(each.process().pid())
          .put(each.holdings().objects().count())
          .put(each.holdings().regions().bytes());
    }
    return answer;
  }
}
