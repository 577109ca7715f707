package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.Arrays;

/** Reads the next entry of a queue, and refuses it if it depends on unknown data. */
final class EntryReader {
  private final Path path;
  private final ProofQueue at;
  private final Rules rules;
  private int[] codes = new int[0];

  EntryReader(Path path, ProofQueue at, Rules rules) {
    this.path = path;
    this.at = at;
    this.rules = rules;
  }

  /** The entry that is in memory now. */
  Request read() {
    codes = slot(at.head);
    known(3, 1, "opcode");
    if (rules.checks() || codes[3] != WqeOpcode.NOP) {
      known(0, 1, "opmod");
    }
    known(7, 1, "ds");
    known(11, 1, "fence and completion mode");
    int ds = codes[7] & 0x3f;
    int slots = Math.max(1, ControlSegment.wqebbs(ds));
    if (at.head + slots > at.limit()) {
      throw new IllegalRequest("reaches beyond index %d, where the queue ends", at.limit());
    }
    int[] all = new int[64 * slots];
    for (int i = 0; i < slots; i++) {
      System.arraycopy(slot(at.head + i), 0, all, 64 * i, 64);
    }
    codes = all;
    toOffsets();
    if (rules.checks()) {
      known(1, 2, "index");
      known(4, 3, "queue number");
    }
    Request request = Request.of(Symbols.bytes(codes), rules.checks());
    check(request);
    return request;
  }

  /** Replaces the numbers of the entry by offsets to their counters. */
  private void toOffsets() {
    if (!path.isGeneral) {
      return;
    }
    if (rules.checks()) {
      toOffset(1, 2, path.counters.sent(at), "index");
    }
    int from = ControlSegment.BYTES + 8;
    boolean isWait = codes[3] == WqeOpcode.WAIT && codes[0] == 0;
    if (!isWait && codes[3] != WqeOpcode.SEND_EN) {
      return;
    }
    known(from + 5, 3, "queue number");
    int object = codes[from + 5] << 16 | codes[from + 6] << 8 | codes[from + 7];
    ProofCq cq = path.completions.get(object);
    ProofQueue target = path.queue(object);
    if (isWait && cq != null) {
      toOffset(from + 1, 3, path.counters.completions(cq), "index");
    } else if (codes[3] == WqeOpcode.SEND_EN && target != null) {
      toOffset(from + 2, 2, path.counters.sent(target), "index");
    }
  }

  private void toOffset(int from, int length, int counter, String what) {
    if (path.isAny(counter)) {
      int[] bytes = Arrays.copyOfRange(codes, from, from + length);
      int place = path.layout.place(at.queue.send(), at.head) + from;
      long offset = path.numbers.offset(path, bytes, place, counter, what);
      for (int i = 0; i < length; i++) {
        codes[from + i] = (int) (offset >>> 8 * (length - 1 - i)) & 0xff;
      }
    }
  }

  /** The codes of the entry's bytes. */
  int[] codes() {
    return codes;
  }

  private int[] slot(long index) {
    return path.codes(path.layout.place(at.queue.send(), index), 64);
  }

  private void check(Request request) {
    request.check(at.queue, at.head, rules);
    if (request.isWait() || request.isEnable()) {
      known(request.queueOffset() + 8, 8, "index or queue number");
    }
    if (request.isValueWait()) {
      known(request.valueOffset(), WaitValueSegment.BYTES, "comparison");
    }
    if (request.hasRemoteAddress() && !isOfClient(request)) {
      known(request.remoteOffset() + 8, 4, "rkey");
    }
    if (request.isAtomic() && !request.isSum()) {
      int operands = request.isCompareAndSwap() ? 2 : 1;
      int from = request.operandsOffset() + operands * request.operandBytes();
      known(from, request.form().fixedBytes() - from, "masks");
    }
    if (request.isPosted() || request.isAnswered()) {
      for (Piece piece : request.pieces()) {
        known(piece.inline() ? piece.offset() - 4 : piece.offset(), 4, "length");
        if (!piece.inline()) {
          known(piece.offset() + 4, 4, "lkey");
        }
      }
    }
  }

  /** A WRITE to the client may use a key that the client sent, since it is the client's memory. */
  private boolean isOfClient(Request request) {
    return !at.queue.isLoopback() && request.isPosted();
  }

  /** Refuses an entry with unknown bytes in a range. */
  private void known(int from, int length, String what) {
    Symbols.requireKnown(codes, from, length, what);
  }
}
