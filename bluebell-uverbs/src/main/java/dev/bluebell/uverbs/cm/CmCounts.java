package dev.bluebell.uverbs.cm;

import dev.bluebell.roce.packet.CmMad.Message;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counters of the messages that the communication manager exchanges over the network. Mirrors
 * {@code cm.c: cm_counter_group}. Thread-safe.
 */
final class CmCounts {
  private static final String NAME = "fabric connection manager";
  private static final int KINDS = Kind.values().length;
  private static final int MESSAGES = Message.values().length;

  private final AtomicLongArray counts = new AtomicLongArray(KINDS * MESSAGES);
  private final AtomicLongArray drops = new AtomicLongArray(Drop.values().length);

  /** Categories of messages, named as the kernel's sysfs folders. */
  enum Kind {
    TX_MSGS,
    TX_RETRIES,
    RX_MSGS,
    RX_DUPLICATES
  }

  /** Why a datagram was dropped. */
  enum Drop {
    /** It is not a message of the connection manager, or is inconsistent. */
    MALFORMED,
    /** It names an unknown connection, or one with another device. */
    STRANGER,
    /** The listener, or this device, has no room for a request; the sender retries. */
    NO_ROOM,
    /** The device had no room for a message to send. */
    UNSENT
  }

  void add(Kind kind, Message message) {
    counts.incrementAndGet(kind.ordinal() * MESSAGES + message.ordinal());
  }

  void add(Drop drop) {
    drops.incrementAndGet(drop.ordinal());
  }

  long get(Kind kind, Message message) {
    return counts.get(kind.ordinal() * MESSAGES + message.ordinal());
  }

  long get(Drop drop) {
    return drops.get(drop.ordinal());
  }

  /** A line for the object table of the device: the counts that are not 0. */
  String line() {
    StringJoiner line = new StringJoiner(", ", NAME + ": ", "").setEmptyValue(NAME);
    for (Kind kind : Kind.values()) {
      for (Message message : Message.values()) {
        add(line, "cm_" + kind + "/" + message, get(kind, message));
      }
    }
    for (Drop drop : Drop.values()) {
      add(line, "dropped_" + drop, get(drop));
    }
    return line.toString();
  }

  private static void add(StringJoiner line, String name, long count) {
    if (count != 0) {
      line.add(name.toLowerCase(Locale.ROOT) + ' ' + count);
    }
  }
}
