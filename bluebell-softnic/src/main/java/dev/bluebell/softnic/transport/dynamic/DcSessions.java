package dev.bluebell.softnic.transport.dynamic;

import dev.bluebell.softnic.packet.Packet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one DC target, by initiator and stream. Their number is bounded: at the limit, a
 * new session replaces an idle one. The initiator of the idle one does not notice, because each of
 * its requests carries the PSN to begin at; unless the last answer to it was lost: then it repeats
 * the request, which is executed again. Owned by the thread that runs the engine.
 */
public final class DcSessions {
  /** Most sessions of one target. */
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

  /** The session of the initiator's stream that sent a packet; null when there is none. */
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

  /** Creates a session for the sender of a request, which has none; null when all are in use. */
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

  /** All sessions, including ended ones. */
  List<DcSession> all() {
    return all;
  }

  /** Number of open sessions. */
  long open() {
    return all.stream().filter(DcSession::isOpen).count();
  }
}
