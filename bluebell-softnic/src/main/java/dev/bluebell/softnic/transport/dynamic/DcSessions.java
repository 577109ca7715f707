package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one DC target, by initiator and stream. There is a bound to them: when it is
 * reached, one in which nothing is under way is forgotten for a new one. Its initiator does not
 * notice: each of its requests says where to begin. Owned by the thread that runs the engine.
 */
public final class DcSessions {
  /** Sessions of one target at most. */
  public static final int MOST = 1 << 10;

  private static final int BUCKETS = 256;

  private final @Nullable DcSession[] buckets = new DcSession[BUCKETS];
  private final List<DcSession> all = new ArrayList<>();
  private int hand;

  // Requests come in trains from one initiator.
  private @Nullable DcSession last;

  static int hash(int qpn, int stream) {
    int mixed = qpn * 31 + stream;
    return (mixed ^ mixed >>> 8) & BUCKETS - 1;
  }

  /** The one of the initiator's stream that sent a packet; null when there is none. */
  @Nullable DcSession find(Packet packet) {
    if (last != null && last.isOf(packet)) {
      return last;
    }
    DcSession found = buckets[hash(packet.sourceQpn, packet.stream)];
    while (found != null && !found.isOf(packet)) {
      found = found.next;
    }
    if (found != null) {
      last = found;
    }
    return found;
  }

  /** Makes one for the sender of a request, which has none; null when all are in use. */
  @Nullable DcSession make(Packet request, DcTarget target) {
    DcSession made = all.size() < MOST ? add(target) : forget();
    if (made != null) {
      made.own(request);
      int bucket = made.hash();
      made.next = buckets[bucket];
      buckets[bucket] = made;
    }
    return made;
  }

  private DcSession add(DcTarget target) {
    DcSession made = new DcSession(target);
    all.add(made);
    return made;
  }

  private @Nullable DcSession forget() {
    for (int looks = 0; looks < MOST; looks++) {
      DcSession found = all.get(hand);
      hand = hand + 1 & MOST - 1;
      if (found.isIdle()) {
        unlink(found);
        last = null;
        return found;
      }
    }
    return null;
  }

  private void unlink(DcSession gone) {
    int bucket = gone.hash();
    DcSession before = null;
    DcSession at = buckets[bucket];
    while (at != null && !at.equals(gone)) {
      before = at;
      at = at.next;
    }
    if (before == null) {
      buckets[bucket] = gone.next;
    } else {
      before.next = gone.next;
    }
  }

  /** All of them, also those that ended. */
  List<DcSession> all() {
    return all;
  }

  /** How many are open. */
  long open() {
    return all.stream().filter(DcSession::isOpen).count();
  }
}
