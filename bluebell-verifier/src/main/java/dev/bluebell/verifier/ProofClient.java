package dev.bluebell.verifier;

import dev.bluebell.program.image.EntryPoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client of an entry point on a path of a proof, which calls again when it has its answer. */
final class ProofClient {
  final EntryPoint entry;

  /** Events that have certainly happened when it sends its next message. */
  Clock knows;

  /** Number of messages that it has sent. */
  int sent;

  /**
   * Completions of messages to it since its last message, and of WRITEs to it without a completion.
   */
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

  /** Continues after it has seen the answer, or has stopped waiting for it. */
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
