package dev.bluebell.lab.storm;

import dev.bluebell.hca.HcaResidents;
import dev.bluebell.verbs.Device;
import java.io.IOException;

/**
 * Attacks by which one client may deprive the others of a device. Each continues until it is
 * killed.
 */
enum Attack {
  MAPPINGS(
      "UAR pages and shared memory, as many as it gets, again and again", 1, CallAttacks::mappings),
  SILENCE("connections that say nothing", 1, CallAttacks::silence),
  HELD_PAGE("payload on a page that never comes (userfaultfd)", 1, QueueAttacks::heldPage),
  SUBSCRIPTIONS(
      "event subscriptions, as many as it gets, and events", 1, CallAttacks::subscriptions),
  ARMING(
      "a CQ with a million unpolled entries, armed for solicited ones again and again",
      1,
      QueueAttacks::arming),
  COMMANDS("cheap commands from eight connections", 8, CallAttacks::commands),
  OBJECTS("protection domains, made and destroyed from eight connections", 8, CallAttacks::objects),
  RECEIVER_NOT_READY(
      "2,000 queue pairs whose receiver is never ready", 1, QueueAttacks::receiverNotReady),
  LONG_MESSAGES("16 queue pairs with messages of 16 MiB", 1, QueueAttacks::longMessages),
  SHORT_MESSAGES("64 queue pairs with messages of 32 bytes", 1, QueueAttacks::shortMessages),
  KEYS("memory keys, as many as it gets, again and again", 1, CallAttacks::keys),
  FLIGHT_RECORD("the flight record, read again and again", 1, CallAttacks::flightRecord),
  DIAGNOSIS(
      "tracing on and off, explanations and tables, of 500 queue pairs", 1, CallAttacks::diagnosis),
  LOG(
      "malformed messages, each of which would be a line in the log of the device process",
      1,
      CallAttacks::log),
  ONE_BYTE_BLOCKS(
      "messages of 1 MiB into a region of interleaved blocks of 1 byte",
      1,
      QueueAttacks::oneByteBlocks),
  TAGS("a list of 1,000 tags, and messages that match none of them", 1, QueueAttacks::tags),
  DC_SESSIONS(
      "1,024 streams of DC initiators, and as many DC targets as it gets",
      1,
      QueueAttacks::dcSessions),
  COPIES(
      "copies of 1 MiB by the device, from and to interleaved blocks of 1 byte",
      1,
      QueueAttacks::copies),
  LAYOUTS("a region whose list of 52 pieces is replaced again and again", 1, QueueAttacks::layouts),
  MAPS(
      "15,000 mappings of a file with a path of 4,000 bytes, and registrations",
      1,
      CallAttacks::maps),
  LOOP("a resident of four queues that enable themselves for ever", 1, QueueAttacks::loop),
  STOPPED(
      "a client that is stopped in the middle of calls and long messages",
      1,
      QueueAttacks::stopped);

  private final String description;
  private final int threads;
  private final Action action;

  /** Attacks until the process ends. */
  private interface Action {
    void run(String name) throws IOException;
  }

  Attack(String description, int threads, Action action) {
    this.description = description;
    this.threads = threads;
    this.action = action;
  }

  String description() {
    return description;
  }

  /** Number of its threads that use a processor. */
  int threads() {
    return threads;
  }

  /** Removes what attackers left on the device. */
  static void removeResidents(String name) {
    try (Device device = Device.open(name)) {
      HcaResidents residents = device.residents().orElseThrow();
      residents.list().forEach(left -> residents.forceRemove(left.name()));
    }
  }

  /** The process of an attack: prints "ready", and attacks when it receives a line. */
  public static void main(String[] arguments) throws IOException {
    Attack attack = valueOf(arguments[0]);
    System.out.println("ready");
    int told = System.in.read();
    if (told >= 0) {
      attack.action.run(arguments[1]);
    }
  }
}
