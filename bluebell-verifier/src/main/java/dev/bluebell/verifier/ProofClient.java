package dev.bluebell.verifier;

import dev.bluebell.program.image.EntryPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client of one entry point on one path of a proof: it asks again when it has its answer. */
final class ProofClient {
  final EntryPoint entry;

  /** What has certainly happened when it sends its next message. */
  Clock knows;

  /** Messages that it has sent. */
  int sent;

  /** Ends of what was sent to it since its last message; messages, and WRITEs that tell nothing. */
  final List<Clock> notices = new ArrayList<>();

  final List<Clock> writes = new ArrayList<>();

  ProofClient(EntryPoint entry, Clock start) {
    this.entry = entry;
    knows = start;
  }

  ProofClient copy() {
    ProofClient copy = new ProofClient(entry, knows);
    copy.sent = sent;
    copy.notices.addAll(notices);
    copy.writes.addAll(writes);
    return copy;
  }

  boolean isAnswered() {
    return !notices.isEmpty() || !writes.isEmpty();
  }

  /** True when it was told of something. */
  boolean hasNotice() {
    return !notices.isEmpty();
  }

  /** It has seen all that it was told of, the last of which is that the call is over. */
  void proceedBehindAll() {
    knows = knows.and(notices.getLast());
    notices.clear();
    writes.clear();
  }

  /** It has seen the answer, or has given up waiting for one. */
  void proceed() {
    @Nullable Clock seen = null;
    for (Clock clock : notices.isEmpty() ? writes : notices) {
      seen = seen == null ? clock : seen.or(clock);
    }
    knows = knows.and(seen);
    notices.clear();
    writes.clear();
  }
}
